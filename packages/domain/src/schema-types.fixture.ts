import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import * as z from "zod";
import * as domain from "./index.js";

// Writes the types of the schemas as interfaces whose comments are the schemas' descriptions: types that are inferred from
// a schema have none.

/** The schemas whose types are exported, by the names of their types. */
export const TYPED_SCHEMAS = {
  RegionInfo: domain.regionInfoSchema,
  Offer: domain.offerSchema,
  ListOffersQuery: domain.listOffersQuerySchema,
  OfferList: domain.offerListSchema,
  Provider: domain.providerSchema,
  ProviderList: domain.providerListSchema,
  ListOsImagesQuery: domain.listOsImagesQuerySchema,
  OsImage: domain.osImageSchema,
  OsImageList: domain.osImageListSchema,
  Account: domain.accountSchema,
  Balance: domain.balanceSchema,
  ErrorDetail: domain.errorDetailSchema,
  ErrorBody: domain.errorBodySchema,
  Deployment: domain.deploymentSchema,
  PriceHistoryQuery: domain.priceHistoryQuerySchema,
  PricePoint: domain.pricePointSchema,
  PriceHistory: domain.priceHistorySchema,
  SourceStatus: domain.sourceStatusSchema,
  SourceList: domain.sourceListSchema,
  Spot: domain.spotSchema,
  ListingFacts: domain.listingFactsSchema,
  Listing: domain.listingSchema,
  Listed: domain.listedSchema,
  ListListingsQuery: domain.listingQuerySchema,
  ListingList: domain.listingListSchema,
  ListingDetails: domain.listingDetailsSchema,
  LaunchQuery: domain.launchQuerySchema,
  LaunchPlan: domain.launchPlanSchema,
  GpuEntry: domain.gpuEntrySchema,
  GpuList: domain.gpuListSchema,
  GpuPricesQuery: domain.gpuPricesQuerySchema,
  GpuPrices: domain.gpuPricesSchema,
} as const satisfies Record<string, z.ZodType>;

/** Types that no schema can state. */
const NAMED_TYPES: ReadonlyMap<z.core.$ZodType, string> = new Map([
  [domain.offerSchema.shape.interconnect, "Interconnect"],
]);

const LINE_WIDTH = 120;

/** The module of the types, formatted like all others. */
export function schemaTypesModule(): string {
  const program = fileURLToPath(new URL("../../../node_modules/.bin/oxfmt", import.meta.url));
  const options = { input: moduleText(), encoding: "utf8", shell: process.platform === "win32" } as const;
  const { status, stdout, stderr } = spawnSync(program, ["--stdin-filepath=schema-types.ts"], options);
  if (status !== 0) {
    throw new Error(`oxfmt failed: ${stderr}`);
  }
  return stdout;
}

function moduleText(): string {
  const writer = new TypeWriter();
  const names = Object.entries(TYPED_SCHEMAS).map(([name, schema]) => writer.name(schema, name));
  const header = `// Generated from the schemas: \`npx -y pnpm@12 exec vitest run --project domain schema-types -u\`. The comments are the
// schemas' descriptions.
`;
  const interconnect = `${comment("A JSON value; null if there is no network between instances, or it is unknown. Catalogs of this project have null or a short text.", "")}export type Interconnect = string | number | boolean | null | readonly unknown[] | { readonly [name: string]: unknown };
`;
  const all = `/** All of these types, by their names. */
export interface SchemaTypes {
${names.map((name) => `  /** See {@link ${name}}. */\n  ${name}: ${name};\n`).join("")}}
`;
  return [header, interconnect, ...writer.interfaces(), all].join("\n");
}

class TypeWriter {
  readonly #names = new Map<z.core.$ZodType, string>();
  readonly #written: string[] = [];

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
      const exported = Object.entries(TYPED_SCHEMAS).find(([, known]) => known === schema)?.[0];
      const typed = exported ?? z.globalRegistry.get(schema)?.id;
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
