// The files of facts/ with their columns, and the modules that are compiled from them. To add a file, add a table here, and
// to use it, a constant of a module: its type, what it is, and its value.
import {
  expression,
  instanceTypeOf,
  key,
  list,
  matching,
  nameIn,
  number,
  oneOf,
  optional,
  pattern,
  rowOf,
  text,
  url,
  year,
  yesNo,
} from "./cells.mjs";

const country = matching(/^[A-Z]{2}$/, "an ISO 3166-1 alpha-2 code");
const currency = matching(/^(?!USD)[A-Z]{3}$/, "an ISO 4217 code other than USD");
const providerKey = matching(/^[a-z0-9]+$/, "a key of a provider: lower-case letters and digits");
const provider = nameIn("providers");
const tool = oneOf("sky", "dstack");
const variable = matching(/^[A-Z][A-Z0-9_]*$/, "an environment variable");
const lowerCase = matching(/^[^A-Z]+$/, "in lower case");
const document = rowOf("documents");
const place = { country, city: optional(text, ""), source: document };
const figure = optional(number);
const readFrom = optional(nameIn("documents"));
const mark = optional(oneOf("yes"));

// `xlarge:1,4,16` has one GPU, 4 vCPUs and 16 GB; `large:1/8,2,8` an eighth of a GPU; `8` is `8:8`.
const SIZES = /^(?:(?:[1-9]\d*|[a-z0-9-]+:(?:1\/)?[1-9]\d*(?:,\d+(?:,\d+(?:\.\d+)?)?)?)(?: (?!$)|$))+$/;

const LAUNCH_PARTS = ["before", "text", "body", "nodes", "disk", "spot", "stop", "stop-body"];

/** `1:48,312` is one GPU with at most 48 vCPUs and 312 GB. */
const limitText = matching(/^\d+:\d+,\d+$/, "GPUS:VCPUS,GB");
const limits = (cell) => limitText(cell).split(/[:,]/).map(Number);

/** USD per GB and month, or sizes with prices of their own: `32:5.28 64:10.21`. A disk is never free, and never cheaper if larger. */
function diskPrice(cell) {
  const steps = cell.split(" ").map((step) => step.split(":").map(number));
  const isValid = steps.every(([gb, price = gb], at) => {
    const [gbBefore = 0, priceBefore = 0] = steps[at - 1] ?? [];
    return price > 0 && (steps.length === 1 || (gb > gbBefore && price >= priceBefore));
  });
  if (!isValid) {
    throw new Error(`must be above 0 and not fall for larger sizes, unlike ${JSON.stringify(cell)}`);
  }
  return cell.includes(":") ? steps : steps[0][0];
}

/** A file with these columns; no two rows have the unique ones in common. */
const table = (unique, columns) => ({ unique, columns });

/** Each file by its name. */
export const tables = {
  documents: table(["name"], { name: key, title: text, url: optional(url) }),
  gpus: table(["slug"], {
    slug: key,
    name: text,
    vendor: oneOf("NVIDIA", "AMD", "Intel"),
    architecture: text,
    form: optional(oneOf("SXM", "PCIe", "NVL", "OAM", "SH5", "Superchip")),
    vram_gb: number,
    nvlink: mark,
    family: optional(key),
    aliases: list("; ", text),
    source: optional(document),
    forms: list("; ", nameIn("gpus")),
    bandwidth_gbs: figure,
    bf16: figure,
    fp16: figure,
    fp8: figure,
    nvlink_gbs: figure,
    power_w: figure,
    year: optional(year),
    document: readFrom,
    bandwidth_from: readFrom,
    compute_from: readFrom,
    nvlink_from: readFrom,
    power_from: readFrom,
    year_from: readFrom,
  }),
  disks: table(["provider", "types", "regions"], {
    provider,
    types: optional(pattern),
    regions: list(" ", lowerCase),
    product: text,
    use: oneOf("boot", "added"),
    price: optional(diskPrice),
    min_gb: figure,
    max_gb: figure,
    hours: number,
    currency: optional(currency),
    as_of: optional(matching(/^20\d\d-\d\d(?:-\d\d)?$/, "a day or month")),
    source: document,
  }),
  "disk-gaps": table(["provider"], { provider, unknown: text }),
  "gpu-notes": table(["note"], { note: text, gpus: list(" ", nameIn("gpus")) }),
  regions: table(["provider", "region"], { provider, region: lowerCase, ...place }),
  sites: table(["provider", "site"], { provider, site: lowerCase, ...place }),
  cities: table(["city"], { country, city: text }),
  states: table(["country", "code"], { country, code: country, name: text }),
  "instance-types": table([], {
    provider,
    type: pattern,
    gpu: nameIn("gpus"),
    sold_as: list(" ", key),
    nvlink: optional(yesNo),
    interconnect: optional(text),
    interconnect_r: optional(text),
    sizes: matching(SIZES, "SIZE:GPUS,VCPUS,GB, separated by spaces"),
    source: document,
  }),
  providers: table(["provider"], {
    provider: providerKey,
    aliases: list(" ", providerKey),
    currency: optional(currency),
    prices: optional(url),
    is_marketplace: mark,
    has_product_types: mark,
    has_own_types: mark,
  }),
  "rent-pages": table(["provider"], {
    provider: providerKey,
    page: url,
    offer: optional(
      matching(/^https:\/\/(?:[^\s{}]|\{(?:region|type|id)\})+$/, "an https URL with {region}, {type} or {id}"),
    ),
    source: text,
  }),
  "launch-commands": table(["name"], {
    name: key,
    provider: providerKey,
    tool: key,
    title: text,
    takes: optional(oneOf("providerOfferId")),
    types: optional(pattern),
    is_file: mark,
    source: document,
  }),
  "launch-lines": table([], {
    command: nameIn("launch-commands"),
    part: oneOf(...LAUNCH_PARTS),
    needs: list(" ", matching(/^!?[a-z]\w*$/i, "a fact")),
    line: text,
  }),
  "launch-volumes": table(["provider"], {
    provider: providerKey,
    create: text,
    attach: optional(text),
    remove: text,
    source: document,
  }),
  "tool-clouds": table(["tool", "provider"], {
    tool,
    provider,
    cloud: providerKey,
    spot: mark,
    regions: optional(pattern),
    has_disk: mark,
    disk_adds: mark,
    source: document,
  }),
  "tool-machines": table(["tool", "provider", "types", "gpus"], {
    tool,
    provider,
    types: optional(pattern),
    gpus: list(" ", nameIn("gpus")),
    seller: optional(oneOf("cloud", "partner", "host")),
    max_gpus: figure,
    name: text,
    accelerator: optional(text),
    spot: optional(oneOf("no")),
    usd_per_gpu: figure,
  }),
  "image-forms": table(["provider", "images"], {
    provider,
    images: optional(pattern),
    login: optional(text),
    root_device: optional(text),
    min_gb: figure,
    source: document,
  }),
  "price-file-regions": table(["provider", "region"], {
    provider,
    region: lowerCase,
    names: list("; ", text),
    source: document,
  }),
  "oci-products": table(["product"], { product: text, shapes: list(" ", instanceTypeOf("oci")), source: document }),
  "gcp-gpus": table(["names"], {
    gpu: rowOf("gpus"),
    names: list("; ", lowerCase),
    cores: oneOf("A2", "A3", "A3Plus", "G2", "G4", "N1 Predefined"),
    types: list(" ", instanceTypeOf("gcp")),
    local_gb: optional(number, 0),
    n1: list(" ", limits),
    not_on_demand: optional(text),
    source: document,
  }),
  "model-shapes": table(["model"], {
    model: text,
    up_to_b: optional(number),
    layers: number,
    kv_heads: number,
    head_dim: number,
    source: document,
  }),
  "collected-currencies": table(["provider", "collection"], {
    provider,
    collection: oneOf("skypilot"),
    currency: matching(/^[A-Z]{3}$/, "an ISO 4217 code"),
    prices: url,
  }),
  "live-sources": table(["name"], {
    name: providerKey,
    title: text,
    homepage: url,
    type: optional(oneOf("container", "bare-metal")),
    kind: optional(oneOf("marketplace", "feed")),
    secrets: list(" ", variable),
    optional_secrets: list(" ", variable),
    hosts: list(" ", matching(/^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/, "a host")),
    interval_seconds: number,
    max_mib: figure,
    spacing_ms: figure,
    stock: oneOf("live", "listed", "unknown"),
    stock_needs_secret: mark,
    is_cut_without_secret: mark,
    recorded_at: optional(matching(/^20\d\d(?:-\d\d){0,2}$/, "a day, month or year")),
    currency: optional(oneOf("EUR")),
    may_be_empty: mark,
    terms: optional(text),
    includes: text,
    omits: text,
  }),
  "other-accelerators": table([], { name: text, stem: optional(pattern), word: optional(expression()) }),
  "type-names": table(["provider", "type"], {
    provider: providerKey,
    type: pattern,
    example: text,
    is_whole: mark,
  }),
  "skypilot-files": table(["provider"], {
    provider: providerKey,
    is_cross_product: mark,
    memory_of: optional(oneOf("one GPU", "all GPUs")),
    cloud_in_type: optional(pattern),
    memory_may_be_vram: mark,
    hides_size: mark,
    price_may_be_spot: mark,
    spot_is_bid: mark,
  }),
  "region-forms": table(["provider"], {
    provider: providerKey,
    suffix: expression("(?:", ")$"),
    prefix: optional(expression("^", "")),
    ignores_spaces: mark,
  }),
  "vast-gpus": table(["name"], { name: text }),
  "listing-parameters": table(["name"], {
    name: matching(/^[a-z_]+$/, "a name of a parameter"),
    description: text,
    help: matching(/^.{1,60}$/, "1 to 60 characters"),
    hint: optional(text),
    examples: list("; ", text),
  }),
  rejections: table(["code"], { code: matching(/^[a-z_]+$/, "a code"), of_gpu_row: mark, meaning: text }),
  "place-names": table([], { names: list(" ", key), places: matching(/^@?[a-z]{2}(?: @?[a-z]{2})*$/, "codes") }),
};

const byProvider = ({ provider: name }) => name;
const byCountry = ({ country: code }) => code;
const byToolAndProvider = (row) => `${row.tool} ${row.provider}`;

const groupsBy = (nameOf, rows, valueOf) =>
  [...Map.groupBy(rows, nameOf)].map(([name, group]) => [name, group.map(valueOf)]);

/** A line for each row, by provider or country: texts are smaller than lists, and pages download them. */
const linesBy = (nameOf, rows, cellsOf) =>
  Object.fromEntries(
    groupsBy(nameOf, rows, (row) => cellsOf(row).join("|")).map(([name, lines]) => [name, lines.join("\n")]),
  );

/** The documents of rows, each once, and the constant that lists them for numbers in `user`. */
function numberedDocuments(rows, user) {
  const documents = [...new Set(rows.flatMap(({ source }) => source ?? []))];
  const type = "readonly (readonly [title: string, url: string | null])[]";
  const value = documents.map(({ title, url: address }) => [title, address]);
  return [documents, { type, about: `Documents that ${user} number.`, value }];
}

const FAMILY = `(readonly [
  type: RegExp, gpu: string, sizes: string, document: number, nvlink: boolean | null,
  interconnect?: string | undefined, interconnectR?: string | undefined, soldAs?: readonly string[],
])`;
const DISK_ROW = `{
  readonly provider: string; readonly types?: RegExp; readonly regions?: readonly string[]; readonly product: string;
  readonly use: "boot" | "added"; readonly perGb?: number; readonly steps?: readonly (readonly number[])[];
  readonly minGb?: number; readonly maxGb?: number; readonly hours: number; readonly currency?: string;
  readonly asOf?: string; readonly source: string;
}`;
const LINES = "Readonly<Record<string, string>>";
const LAUNCH_LINES = "readonly (readonly [line: string, needs?: string])[]";

/**
 * A line for each GPU, because pages download them: name, GB, vendor, architecture, form, number of the document, NVLink,
 * family, aliases. Of these, vendor to document are those of the line above if they are empty; - is none.
 */
function gpuLines(gpus, documents) {
  let above = [];
  return gpus.map((gpu) => {
    const shared = [
      gpu.vendor,
      gpu.architecture,
      gpu.form ?? "-",
      gpu.source === null ? "-" : documents.indexOf(gpu.source),
    ];
    const cells = [
      gpu.name,
      gpu.vram_gb,
      ...shared.map((cell, index) => (cell === above[index] ? "" : cell)),
      gpu.nvlink === null || gpu.form === "SXM" ? "" : 1,
      gpu.family ?? "",
      gpu.aliases.join(";"),
    ];
    above = shared;
    return cells.join("|").replace(/\|+$/, "");
  });
}

const figuresOf = (gpu) =>
  [gpu.bandwidth_gbs, gpu.bf16, gpu.fp16, gpu.fp8, gpu.nvlink_gbs, gpu.power_w, gpu.year]
    .map((cell) => cell ?? "-")
    .join(" ");

/** A row with its columns in camel case. */
const fieldsOf = (row) =>
  Object.fromEntries(
    Object.entries(row).map(([column, value]) => [
      column.replaceAll(/_(.)/g, (_, letter) => letter.toUpperCase()),
      value,
    ]),
  );

const NAMED = new Set(["tool", "provider", "source"]);

/** The same without the columns that are empty, and without those that name the row. */
const statedFieldsOf = (row) =>
  Object.fromEntries(
    Object.entries(fieldsOf(row)).filter(([name, cell]) => cell !== null && cell.length !== 0 && !NAMED.has(name)),
  );

/** The same with true for what is marked. */
const markedFieldsOf = (row) =>
  Object.fromEntries(Object.entries(statedFieldsOf(row)).map(([name, cell]) => [name, cell === "yes" || cell]));

/** A row with its columns in camel case, and title and address of its document. */
const withDocument = ({ source: { title, url: address }, ...row }) => ({
  ...fieldsOf(row),
  source: { title, url: address },
});

const hasForms = ({ forms }) => forms.length > 0;

/** Each module by its file: the tables it is compiled from, and its constants. */
export const modules = {
  "packages/domain/src/gpu/gpus.facts.ts": {
    from: ["gpus", "documents"],
    constants({ gpus }) {
      const [documents, gpuDocuments] = numberedDocuments(gpus, "lines of gpuLines");
      return {
        gpuDocuments,
        gpuLines: {
          type: "string",
          about: "Name, GB, vendor, architecture, form, document, NVLink, family, aliases: see gpu-models.ts.",
          value: gpuLines(gpus, documents).join("\n"),
        },
      };
    },
  },
  "packages/domain/src/gpu/gpu-figures.facts.ts": {
    from: ["gpus"],
    constants: ({ gpus }) => ({
      figureLines: {
        type: "Readonly<Record<string, string>>",
        about: "Slug to bandwidth, BF16, FP16, FP8, NVLink, power, year; - is unknown.",
        value: Object.fromEntries(gpus.filter((gpu) => !hasForms(gpu)).map((gpu) => [gpu.slug, figuresOf(gpu)])),
      },
      openForms: {
        type: "ReadonlyMap<string, readonly string[]>",
        about: "Names that leave the form open, with the cards they may mean.",
        value: new Map(gpus.filter(hasForms).map(({ slug, forms }) => [slug, forms])),
      },
    }),
  },
  "packages/domain/src/gpu/gpu-sources.facts.ts": {
    from: ["gpus", "gpu-notes", "documents"],
    constants({ gpus, documents, "gpu-notes": notes }) {
      const sources = gpus
        .filter((gpu) => !hasForms(gpu))
        .map((gpu) => [
          gpu.slug,
          [gpu.document, gpu.bandwidth_from, gpu.compute_from, gpu.nvlink_from, gpu.power_from, gpu.year_from],
        ]);
      return {
        figureSources: {
          type: "ReadonlyMap<string, readonly (string | null)[]>",
          about: "Slug to the maker's document, and the tables of bandwidth, compute, NVLink, power and year.",
          value: new Map(sources),
        },
        figureDocuments: {
          type: "ReadonlyMap<string, { readonly title: string; readonly url: string | null }>",
          about: "The documents and tables by name.",
          value: new Map(
            documents
              .filter(({ name }) => sources.some(([, names]) => names.includes(name)))
              .map(({ name, title, url: address }) => [name, { title, url: address }]),
          ),
        },
        figureNotes: {
          type: "readonly (readonly [note: string, slugs: readonly string[]])[]",
          about: "Notes on figures, and the GPUs they are about.",
          value: notes.map(({ note, gpus: slugs }) => [note, slugs]),
        },
      };
    },
  },
  "packages/domain/src/gpu/other-accelerators.facts.ts": {
    from: ["other-accelerators"],
    constants: ({ "other-accelerators": rows }) => ({
      otherAccelerators: {
        type: "readonly { readonly name: string; readonly stem?: RegExp; readonly word?: RegExp }[]",
        about: "Accelerators that are no GPUs, by the stem of a spelling, or by a word in it.",
        value: rows.map(statedFieldsOf),
      },
    }),
  },
  "packages/domain/src/listing-query/listing-parameter-docs.facts.ts": {
    from: ["listing-parameters"],
    constants: ({ "listing-parameters": rows }) => ({
      parameterDocs: {
        type: `Readonly<Record<${rows.map(({ name }) => JSON.stringify(name)).join(" | ")}, {
  readonly description: string; readonly help: string; readonly hint?: string; readonly examples: readonly [string, ...string[]];
}>>`,
        about: "What the parameters of the listing query mean.",
        value: Object.fromEntries(rows.map(({ name, ...docs }) => [name, statedFieldsOf(docs)])),
      },
    }),
  },
  "packages/domain/src/provider/providers.facts.ts": {
    from: ["providers"],
    constants: ({ providers }) => ({
      providerNames: {
        type: LINES,
        about: "Other names of a provider by its key.",
        value: Object.fromEntries(
          providers.filter(({ aliases }) => aliases.length > 0).map((row) => [row.provider, row.aliases.join(" ")]),
        ),
      },
    }),
  },
  "packages/domain/src/search/place-names.facts.ts": {
    from: ["place-names"],
    constants: ({ "place-names": rows }) => ({
      placeLines: {
        type: "string",
        about: "Names and the codes they mean, a line for each meaning.",
        value: rows.map(({ names, places }) => `${names.join(" ")}|${places}`).join("\n"),
      },
    }),
  },
  "packages/domain/src/launch/tool-names.facts.ts": {
    from: [
      "tool-clouds",
      "tool-machines",
      "image-forms",
      "launch-commands",
      "launch-lines",
      "launch-volumes",
      "documents",
    ],
    constants: ({ "tool-clouds": clouds, "tool-machines": machines, "image-forms": images, ...facts }) => ({
      toolClouds: {
        type: `ReadonlyMap<string, { readonly cloud: string; readonly spot?: "yes"; readonly regions?: RegExp; readonly hasDisk?: "yes"; readonly diskAdds?: "yes" }>`,
        about: "Clouds of SkyPilot and dstack, by the tool and the provider.",
        value: new Map(clouds.map((row) => [byToolAndProvider(row), statedFieldsOf(row)])),
      },
      toolMachines: {
        type: `ReadonlyMap<string, readonly {
  readonly types?: RegExp; readonly gpus?: readonly string[]; readonly seller?: string; readonly maxGpus?: number;
  readonly name: string; readonly accelerator?: string; readonly spot?: "no"; readonly usdPerGpu?: number;
}[]>`,
        about: "Machines as these tools name them, by the tool and the provider.",
        value: new Map(groupsBy(byToolAndProvider, machines, statedFieldsOf)),
      },
      imageForms: {
        type: `ReadonlyMap<string, readonly {
  readonly images?: RegExp; readonly login?: string; readonly rootDevice?: string; readonly minGb?: number;
}[]>`,
        about: "What texts need of images, by provider.",
        value: new Map(groupsBy(byProvider, images, statedFieldsOf)),
      },
      launchCommands: {
        type: `readonly {
  readonly provider: string; readonly tool: string; readonly title: string; readonly source: { title: string; url: string };
  readonly takes?: "providerOfferId"; readonly types?: RegExp; readonly isFile?: "yes";
  readonly lines: { readonly text: ${LAUNCH_LINES} } & { readonly [Part in "${LAUNCH_PARTS.join('" | "')}"]?: ${LAUNCH_LINES} };
}[]`,
        about: "Commands and requests that rent machines, with their lines by part and what they need.",
        value: facts["launch-commands"].map(({ name, ...row }) => ({
          provider: row.provider,
          tool: row.tool,
          ...statedFieldsOf(row),
          source: { title: row.source.title, url: row.source.url },
          lines: Object.fromEntries(
            groupsBy(
              ({ part }) => part,
              facts["launch-lines"].filter(({ command }) => command === name),
              ({ line, needs }) => [line, needs.join(" ") || undefined],
            ),
          ),
        })),
      },
      launchVolumes: {
        type: "ReadonlyMap<string, { readonly create: string; readonly attach?: string; readonly remove: string }>",
        about: "Commands that add a volume to a machine and remove it, by provider.",
        value: new Map(facts["launch-volumes"].map((row) => [row.provider, statedFieldsOf(row)])),
      },
    }),
  },
  "packages/domain/src/launch/rent-pages.facts.ts": {
    from: ["rent-pages"],
    constants: ({ "rent-pages": rows }) => ({
      rentPages: {
        type: "ReadonlyMap<string, readonly [page: string, offer?: string | null]>",
        about: "Pages on which machines are rented, by provider: the provider's, and the template of an offer's.",
        value: new Map(rows.map(({ provider: name, page, offer }) => [name, [page, offer]])),
      },
    }),
  },
  "packages/domain/src/model/model-shapes.facts.ts": {
    from: ["model-shapes", "documents"],
    constants: ({ "model-shapes": rows }) => ({
      modelShapes: {
        type: `readonly {
  model: string; upToB: number | null; layers: number; kvHeads: number; headDim: number; source: { title: string; url: string };
}[]`,
        about: "Public models by the billions of parameters up to which they stand for others, smallest first.",
        value: rows.map(withDocument),
      },
    }),
  },
  "packages/sources/src/price-lists.facts.ts": {
    from: ["price-file-regions", "oci-products", "gcp-gpus", "gpus", "vast-gpus"],
    constants: ({ "price-file-regions": regions, "oci-products": products, "gcp-gpus": cards, ...facts }) => ({
      vastGpus: {
        type: "readonly string[]",
        about: "Names of GPUs in Vast's spelling.",
        value: facts["vast-gpus"].map(({ name }) => name),
      },
      awsRegionNames: {
        type: "ReadonlyMap<string, readonly [name: string, ...others: string[]]>",
        about: "Names of AWS's regions in its price files; the first is in addresses.",
        value: new Map(regions.filter((row) => row.provider === "aws").map((row) => [row.region, row.names])),
      },
      ociShapes: {
        type: "ReadonlyMap<string, readonly string[]>",
        about: "Shapes whose GPUs a product of Oracle's price list pays for.",
        value: new Map(products.map((row) => [row.product, row.shapes])),
      },
      gcpGpus: {
        type: `readonly {
  slug: string; vramGb: number; names: readonly string[]; cores: string; types: readonly string[]; localGb: number;
  n1: readonly (readonly [gpus: number, vcpu: number, ramGb: number])[]; notOnDemand: string | null;
}[]`,
        about: "GPUs of Google Cloud's price list: see facts/gcp-gpus.csv.",
        value: cards.map(({ gpu: { slug, vram_gb: vramGb }, ...card }) => ({
          slug,
          vramGb,
          ...fieldsOf({ ...card, source: undefined }),
        })),
      },
    }),
  },
  "packages/sources/src/rejections.facts.ts": {
    from: ["rejections"],
    constants: ({ rejections }) => ({
      rejections: {
        type: `Readonly<Record<${rejections.map(({ code }) => JSON.stringify(code)).join(" | ")}, {
  readonly meaning: string; readonly isGpuRow: boolean;
}>>`,
        about: "Why rows are rejected, by code.",
        value: Object.fromEntries(
          rejections.map((row) => [row.code, { meaning: row.meaning, isGpuRow: row.of_gpu_row !== null }]),
        ),
      },
    }),
  },
  "packages/sources/src/live/live-sources.facts.ts": {
    from: ["live-sources"],
    constants: ({ "live-sources": sources }) => ({
      liveSourceFacts: {
        type: `Readonly<Record<${sources.map(({ name }) => JSON.stringify(name)).join(" | ")}, {
  readonly name: string; readonly title: string; readonly homepage: string; readonly type?: "container" | "bare-metal";
  readonly kind?: "marketplace" | "feed"; readonly secrets?: readonly string[]; readonly optionalSecrets?: readonly string[];
  readonly hosts: readonly string[]; readonly intervalSeconds: number; readonly maxBytes?: number; readonly spacingMs?: number;
  readonly stock: "live" | "listed" | "unknown"; readonly stockNeedsSecret?: true; readonly isCutWithoutSecret?: true;
  readonly recordedAt?: string; readonly currency?: "EUR"; readonly mayBeEmpty?: true; readonly terms?: string;
  readonly includes: string; readonly omits: string;
}>>`,
        about: "What is known of live sources besides their code.",
        value: Object.fromEntries(
          sources.map(({ max_mib: maxMib, ...row }) => [
            row.name,
            {
              ...markedFieldsOf(row),
              maxBytes: maxMib === null ? undefined : maxMib * 2 ** 20,
            },
          ]),
        ),
      },
    }),
  },
  "packages/sources/src/region/places.facts.ts": {
    from: ["regions", "region-forms", "sites", "cities", "states"],
    constants: ({ regions, "region-forms": forms, sites, cities, states }) => ({
      regionForms: {
        type: "ReadonlyMap<string, { readonly suffix: RegExp; readonly prefix?: RegExp; readonly ignoresSpaces?: true }>",
        about: "How providers write their regions.",
        value: new Map(forms.map((row) => [row.provider, markedFieldsOf(row)])),
      },
      regionLines: {
        type: LINES,
        about: "Region, country and city, by provider.",
        value: linesBy(byProvider, regions, ({ region, country: code, city }) => [region, code, city]),
      },
      siteLines: {
        type: LINES,
        about: "Data center, country and city, by provider.",
        value: linesBy(byProvider, sites, ({ site, country: code, city }) => [site, code, city]),
      },
      cityLines: { type: LINES, about: "Cities by country.", value: linesBy(byCountry, cities, ({ city }) => [city]) },
      stateLines: {
        type: LINES,
        about: "Code and name of states, by country.",
        value: linesBy(byCountry, states, ({ code, name }) => [code, name]),
      },
    }),
  },
  "packages/sources/src/instance/instance-types.facts.ts": {
    from: ["instance-types", "type-names", "documents"],
    constants({ "instance-types": types, "type-names": names }) {
      const [documents, instanceDocuments] = numberedDocuments(types, "rows of familyRows");
      const rowOfFamily = (row) => [
        row.type,
        row.gpu,
        row.sizes,
        documents.indexOf(row.source),
        row.nvlink,
        row.interconnect ?? undefined,
        row.interconnect_r ?? undefined,
        row.sold_as.length === 0 ? undefined : row.sold_as,
      ];
      return {
        typeNames: {
          type: "readonly { readonly provider: string; readonly type: RegExp; readonly isWhole?: true }[]",
          about: "What names of types state.",
          value: names.map((row) => ({ provider: row.provider, ...markedFieldsOf({ ...row, example: null }) })),
        },
        instanceDocuments,
        familyRows: {
          type: `Readonly<Record<string, readonly ${FAMILY}[]>>`,
          about: "Families of types by provider.",
          value: Object.fromEntries(groupsBy(byProvider, types, rowOfFamily)),
        },
      };
    },
  },
  "packages/sources/src/disks.facts.ts": {
    from: ["disks", "documents", "disk-gaps"],
    constants: ({ disks, "disk-gaps": gaps }) => ({
      diskGaps: {
        type: "ReadonlyMap<string, string>",
        about: "What is unknown of a provider's disks.",
        value: new Map(gaps.map((row) => [row.provider, row.unknown])),
      },
      diskRows: {
        type: `readonly ${DISK_ROW}[]`,
        about: "Disks of providers, see disk-table.ts.",
        value: disks.map(({ price, source, ...row }) => ({
          provider: row.provider,
          ...statedFieldsOf(row),
          ...(price !== null && { [Array.isArray(price) ? "steps" : "perGb"]: price }),
          source: source.url ?? source.title,
        })),
      },
    }),
  },
  "packages/sources/src/providers.facts.ts": {
    from: ["providers", "collected-currencies", "skypilot-files"],
    constants({ providers, "collected-currencies": collected, "skypilot-files": files }) {
      const having = (column) => providers.filter((row) => row[column] !== null).map((row) => row.provider);
      return {
        skypilotFiles: {
          type: `ReadonlyMap<string, {
  readonly isCrossProduct?: true; readonly memoryOf?: "one GPU" | "all GPUs"; readonly cloudInType?: RegExp;
  readonly memoryMayBeVram?: true; readonly hidesSize?: true; readonly priceMayBeSpot?: true; readonly spotIsBid?: true;
}>`,
          about: "What the files of providers in SkyPilot's catalog don't say, see facts/skypilot-files.csv.",
          value: new Map(files.map((row) => [row.provider, markedFieldsOf(row)])),
        },
        cloudCurrencies: {
          type: "ReadonlyMap<string, { readonly currency: string; readonly source: string }>",
          about: "Currencies other than USD, with the page of prices.",
          value: new Map(
            providers
              .filter((row) => row.currency !== null)
              .map((row) => [row.provider, { currency: row.currency, source: row.prices }]),
          ),
        },
        collectedCurrencies: {
          type: "ReadonlyMap<string, string>",
          about: "Currencies in collections of others, by the provider and the collection.",
          value: new Map(collected.map((row) => [`${row.provider} ${row.collection}`, row.currency])),
        },
        marketplaces: {
          type: "readonly string[]",
          about: "Providers with many sellers.",
          value: having("is_marketplace"),
        },
        productTypes: {
          type: "readonly string[]",
          about: "Clouds whose instance types are documented products.",
          value: having("has_product_types"),
        },
        ownTypes: {
          type: "readonly string[]",
          about: "Clouds whose SkyPilot files have their own names of types.",
          value: having("has_own_types"),
        },
      };
    },
  },
};
