import { spawnSync } from "node:child_process";
import { basename, dirname } from "node:path";
import { fileURLToPath } from "node:url";
import * as z from "zod";
import { gpuFactsSchema } from "./gpu/gpu-facts-schema.js";
import * as domain from "./index.js";

// Writes the types of the schemas as interfaces whose comments are the schemas' descriptions: types that are inferred from
// a schema have none.

/** The schemas whose types are exported, by the file of the types, and by their names. */
export const TYPED_SCHEMAS = {
  "place/region-types": { RegionInfo: domain.regionInfoSchema },
  "gpu/gpu-facts-types": { GpuFacts: gpuFactsSchema },
  "offer/offer-types": { Offer: domain.offerSchema },
  "offer-query/offer-query-types": {
    ListOffersQuery: domain.listOffersQuerySchema,
    OfferList: domain.offerListSchema,
  },
  "provider/provider-types": { Provider: domain.providerSchema, ProviderList: domain.providerListSchema },
  "image/os-image-types": {
    ListOsImagesQuery: domain.listOsImagesQuerySchema,
    OsImage: domain.osImageSchema,
    OsImageList: domain.osImageListSchema,
  },
  "account/account-types": { Account: domain.accountSchema },
  "account/balance-types": { Balance: domain.balanceSchema },
  "error/error-types": { ErrorDetail: domain.errorDetailSchema, ErrorBody: domain.errorBodySchema },
  "offer/deployment-types": { Deployment: domain.deploymentSchema },
  "market/price-history-types": {
    PriceHistoryQuery: domain.priceHistoryQuerySchema,
    PricePoint: domain.pricePointSchema,
    PriceHistory: domain.priceHistorySchema,
  },
  "provider/source-status-types": {
    SourceStatus: domain.sourceStatusSchema,
    SourceList: domain.sourceListSchema,
  },
  "offer/listing-types": {
    Spot: domain.spotSchema,
    ListingFacts: domain.listingFactsSchema,
    Listing: domain.listingSchema,
    Listed: domain.listedSchema,
    ListingList: domain.listingListSchema,
    ListingDetails: domain.listingDetailsSchema,
    LaunchQuery: domain.launchQuerySchema,
    LaunchPlan: domain.launchPlanSchema,
  },
  "listing-query/listing-query-types": { ListListingsQuery: domain.listingQuerySchema },
  "market/gpu-entry-types": {
    GpuEntry: domain.gpuEntrySchema,
    GpuList: domain.gpuListSchema,
    GpuPricesQuery: domain.gpuPricesQuerySchema,
    GpuPrices: domain.gpuPricesSchema,
  },
} as const satisfies Record<string, Record<string, z.ZodType>>;

const LINE_WIDTH = 120;

/** Types that no schema can state. */
const NAMED_TYPES: ReadonlyMap<z.core.$ZodType, string> = new Map([
  [domain.offerSchema.shape.interconnect, "Interconnect"],
]);

/** Written before the types of a file. */
const BEFORE: Readonly<Record<string, string>> = {
  "offer/offer-types": `${comment("A JSON value; null if there is no network between instances, or it is unknown. Catalogs of this project have null or a short text.", "")}export type Interconnect = string | number | boolean | null | readonly unknown[] | { readonly [name: string]: unknown };
`,
};

/** The file that a type is exported from, which writes it, too. */
const FILE_OF_SCHEMA: ReadonlyMap<z.core.$ZodType, { file: string; name: string }> = new Map(
  Object.entries(TYPED_SCHEMAS).flatMap(([file, schemas]) =>
    Object.entries(schemas).map(([name, schema]) => [schema, { file, name }] as const),
  ),
);

/** The modules of the types by their paths, formatted like all others. */
export function typeModules(): Map<string, string> {
  return new Map(
    Object.entries(TYPED_SCHEMAS).map(([file, schemas]) => [`${file}.ts`, formatted(moduleText(file, schemas))]),
  );
}

/** The module that has all of the types by their names, for comparing them with what the schemas infer. */
export function allTypesModule(): string {
  const files = Object.entries(TYPED_SCHEMAS);
  const imports = files.map(
    ([file, schemas]) => `import type { ${Object.keys(schemas).join(", ")} } from "./${file}.js";\n`,
  );
  const names = files.flatMap(([, schemas]) => Object.keys(schemas));
  return formatted(`${HEADER}
${imports.join("")}
/** All of these types, by their names. */
export interface SchemaTypes {
${names.map((name) => `${name}: ${name};\n`).join("")}}
`);
}

const HEADER = `// Generated from the schemas: \`npx -y pnpm@12 exec vitest run --project domain schema-types -u\`. The comments are the
// schemas' descriptions.
`;

function formatted(input: string): string {
  const program = fileURLToPath(new URL("../../../node_modules/.bin/oxfmt", import.meta.url));
  const options = { input, encoding: "utf8", shell: process.platform === "win32" } as const;
  const { status, stdout, stderr } = spawnSync(program, ["--stdin-filepath=schema-types.ts"], options);
  if (status !== 0) {
    throw new Error(`oxfmt failed: ${stdout}${stderr}\n${input}`);
  }
  return stdout;
}

function moduleText(file: string, schemas: Readonly<Record<string, z.ZodType>>): string {
  const writer = new TypeWriter(file);
  for (const [name, schema] of Object.entries(schemas)) {
    writer.name(schema, name);
  }
  const imports = [...writer.imported].map(
    ([from, names]) => `import type { ${[...names].sort().join(", ")} } from "${relativePath(file, from)}";\n`,
  );
  const before = BEFORE[file];
  return [
    HEADER,
    ...(imports.length === 0 ? [] : [imports.join("")]),
    ...(before === undefined ? [] : [before]),
    ...writer.interfaces(),
  ].join("\n");
}

/** How a module of types imports another one. */
function relativePath(file: string, from: string): string {
  return dirname(file) === dirname(from) ? `./${basename(from)}.js` : `../${from}.js`;
}

class TypeWriter {
  /** Names that the module imports, by the files that export them. */
  readonly imported = new Map<string, Set<string>>();
  readonly #file: string;
  readonly #names = new Map<z.core.$ZodType, string>();
  readonly #written: string[] = [];

  constructor(file: string) {
    this.#file = file;
  }

  /** The interface of a schema, written when it is first asked for. */
  name(schema: z.core.$ZodType, name: string): string {
    const known = this.#names.get(schema);
    if (known !== undefined) {
      return known;
    }
    this.#names.set(schema, name);
    const text = schema instanceof z.ZodObject ? this.#members(schema, "", name === "ListListingsQuery") : "{}";
    this.#written.push(
      `${comment(description(schema) || "Query parameters with typed values.", "")}export interface ${name} ${text}\n`,
    );
    return name;
  }

  /** In the order in which they refer to each other. */
  interfaces(): readonly string[] {
    return this.#written;
  }

  #members(schema: z.ZodObject, indent: string, areListsReadonly: boolean): string {
    const inner = `${indent}  `;
    const members = Object.entries(schema.shape).map(([name, member]) => {
      const isOptional = member instanceof z.ZodOptional;
      const type = this.#type(member, inner, areListsReadonly);
      return `${comment(description(member), inner)}${inner}${name}${isOptional ? "?" : ""}: ${type};\n`;
    });
    return `{\n${members.join("")}${indent}}`;
  }

  #type(schema: z.core.$ZodType, indent: string, areListsReadonly: boolean): string {
    const of = (inner: z.core.$ZodType) => this.#type(inner, indent, areListsReadonly);
    const named = NAMED_TYPES.get(schema);
    if (named !== undefined) {
      return named;
    }
    if (schema instanceof z.ZodObject) {
      const exported = FILE_OF_SCHEMA.get(schema);
      if (exported !== undefined && exported.file !== this.#file) {
        const names = this.imported.get(exported.file) ?? new Set();
        this.imported.set(exported.file, names.add(exported.name));
        return exported.name;
      }
      const typed = exported?.name ?? z.globalRegistry.get(schema)?.id;
      return typed === undefined ? this.#members(schema, indent, areListsReadonly) : this.name(schema, typed);
    }
    if (schema instanceof z.ZodOptional) {
      return `${of(schema.def.innerType)} | undefined`;
    }
    if (schema instanceof z.ZodNullable) {
      return `${of(schema.def.innerType)} | null`;
    }
    if (schema instanceof z.ZodDefault) {
      return of(schema.def.innerType);
    }
    if (schema instanceof z.ZodPipe) {
      return of(schema.def.out);
    }
    if (schema instanceof z.ZodArray) {
      const item = of(schema.def.element);
      return `${areListsReadonly ? "readonly " : ""}${item.includes(" ") && !item.startsWith("{") ? `(${item})` : item}[]`;
    }
    if (schema instanceof z.ZodRecord) {
      const key = of(schema.def.keyType);
      const record = `Record<${key}, ${of(schema.def.valueType)}>`;
      return key === "string" ? record : `Partial<${record}>`;
    }
    if (schema instanceof z.ZodUnion) {
      return [...new Set(schema.def.options.map(of))].join(" | ");
    }
    if (schema instanceof z.ZodEnum) {
      return schema.options.map((value) => JSON.stringify(value)).join(" | ");
    }
    if (schema instanceof z.ZodLiteral) {
      return [...schema.values].map((value) => JSON.stringify(value)).join(" | ");
    }
    if (schema instanceof z.ZodStringFormat || schema instanceof z.ZodString) {
      return "string";
    }
    if (schema instanceof z.ZodNumber) {
      return "number";
    }
    if (schema instanceof z.ZodBoolean) {
      return "boolean";
    }
    throw new RangeError("The type of a schema is unknown.");
  }
}

/** The description of a schema, or of the one that it wraps. */
function description(schema: z.core.$ZodType): string {
  const own = z.globalRegistry.get(schema)?.description;
  if (own !== undefined) {
    return own;
  }
  return schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault
    ? description(schema.def.innerType)
    : "";
}

/** A comment of one line, or of several within the width of a line. */
function comment(text: string, indent: string): string {
  const safe = text.replaceAll("*/", "*\\/");
  if (text === "") {
    return "";
  }
  const line = `${indent}/** ${safe} */\n`;
  if (line.length <= LINE_WIDTH + 1) {
    return line;
  }
  const lines = [""];
  for (const word of safe.split(" ")) {
    const last = lines.at(-1) ?? "";
    if (last !== "" && indent.length + 3 + last.length + 1 + word.length > LINE_WIDTH) {
      lines.push(word);
    } else {
      lines[lines.length - 1] = last === "" ? word : `${last} ${word}`;
    }
  }
  return `${indent}/**\n${lines.map((each) => `${indent} * ${each}\n`).join("")}${indent} */\n`;
}
