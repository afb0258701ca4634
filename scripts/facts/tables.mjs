// The files of facts/ with their columns, and the modules that are compiled from them. To add a file, add a table here, and
// to use it, a constant of a module: its type, what it is, and its value.
import {
  expression,
  instanceTypeOf,
  key,
  list,
  mark,
  matching,
  nameIn,
  number,
  oneOf,
  optional,
  pattern,
  rowOf,
  someOf,
  text,
  typed,
  unionOf,
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
const mebibytes = typed(
  "number",
  (cell) => Number.parseInt(matching(/^\d+ MiB$/, "such as 8 MiB")(cell), 10) * 2 ** 20,
);
const readFrom = optional(nameIn("documents"));

// `xlarge:1,4,16` has one GPU, 4 vCPUs and 16 GB; `large:1/8,2,8` an eighth of a GPU; `8` is `8:8`.
const SIZES = /^(?:(?:[1-9]\d*|[a-z0-9-]+:(?:1\/)?[1-9]\d*(?:,\d+(?:,\d+(?:\.\d+)?)?)?)(?: (?!$)|$))+$/;

const LAUNCH_PARTS = ["before", "text", "body", "nodes", "disk", "spot", "stop", "stop-body"];

/** `1:48,312` is one GPU with at most 48 vCPUs and 312 GB. */
const limitText = matching(/^\d+:\d+,\d+$/, "GPUS:VCPUS,GB");
const limits = typed("readonly [gpus: number, vcpu: number, ramGb: number]", (cell) =>
  limitText(cell).split(/[:,]/).map(Number),
);

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
    names: someOf("; ", text),
    source: document,
  }),
  "oci-products": table(["product"], { product: text, shapes: someOf(" ", instanceTypeOf("oci")), source: document }),
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
    hosts: someOf(" ", matching(/^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/, "a host")),
    interval_seconds: number,
    max_bytes: optional(mebibytes),
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
  "listing-parameter-docs": table(["name"], {
    name: matching(/^[a-z][a-z0-9_]*$/, "a name of a parameter"),
    description: text,
    help: matching(/^.{1,60}$/, "1 to 60 characters"),
    hint: optional(text),
    examples: someOf("; ", text),
  }),
  rejections: table(["code"], { code: matching(/^[a-z_]+$/, "a code"), is_gpu_row: yesNo, meaning: text }),
  "place-names": table([], { names: list(" ", key), places: matching(/^@?[a-z]{2}(?: @?[a-z]{2})*$/, "codes") }),
};

const byProvider = ({ provider: name }) => name;
const byCountry = ({ country: code }) => code;
const byToolAndProvider = (row) => `${row.tool} ${row.provider}`;

const groupsBy = (nameOf, rows, valueOf) =>
  [...Map.groupBy(rows, nameOf)].map(([name, group]) => [name, group.map(valueOf)]);

/** A constant of a module: its type, maybe by its value, what it is, and its value from the rows of some tables. */
const constant = (from, type, about, valueOf) => ({ from, type, about, valueOf });

const inCamelCase = (column) => column.replaceAll(/_(.)/g, (_, letter) => letter.toUpperCase());

/** How constants hold rows: their type by that of a row, and their value by the names and values of the rows. */
const HOLDERS = {
  list: [(row) => `readonly (${row})[]`, (entries) => entries.map(([, value]) => value)],
  map: [(row) => `ReadonlyMap<string, ${row}>`, (entries) => new Map(entries)],
  groups: [
    (row) => `ReadonlyMap<string, readonly (${row})[]>`,
    (entries) =>
      new Map(
        groupsBy(
          ([name]) => name,
          entries,
          ([, value]) => value,
        ),
      ),
  ],
  record: [(row, value) => `Readonly<Record<${unionOf(Object.keys(value))}, ${row}>>`, Object.fromEntries],
};

/**
 * A constant with the rows of a table as objects, with the columns in camel case. Columns whose cells may be empty are optional.
 * @param leftOut columns that aren't in it, such as those that name the rows
 * @param more what a row has besides, with its type; from other tables, too
 */
function rowsOf(name, holder, about, options = {}) {
  const {
    nameOf = byProvider,
    leftOut = ["tool", "provider", "source"],
    from = [],
    more = () => ({}),
    moreType,
  } = options;
  const isIn = ([column]) => !leftOut.includes(column);
  const members = Object.entries(tables[name].columns)
    .filter(isIn)
    .map(([column, { type, isOptional }]) => `readonly ${inCamelCase(column)}${isOptional ? "?" : ""}: ${type};`);
  const rowType = [`{ ${members.join(" ")} }`, moreType ?? []].flat().join(" & ");
  const statedIn = (row) =>
    Object.entries(row).filter(([column, cell]) => cell !== null && cell.length !== 0 && isIn([column]));
  const valueOf = (row, others) => ({
    ...Object.fromEntries(statedIn(row).map(([column, cell]) => [inCamelCase(column), cell])),
    ...more(row, ...others),
  });
  const [typeOf, hold] = HOLDERS[holder];
  return constant(
    [name, ...from],
    (value) => typeOf(rowType, value),
    about,
    (rows, ...others) => hold(rows.map((row) => [nameOf(row), valueOf(row, others)])),
  );
}

/** A constant with a line for each row, by provider or country: texts are smaller than lists, and pages download them. */
const linesOf = (file, about, nameOf, columns) =>
  constant([file], LINES, about, (rows) =>
    Object.fromEntries(
      groupsBy(nameOf, rows, (row) => columns.map((column) => row[column]).join("|")).map(([name, lines]) => [
        name,
        lines.join("\n"),
      ]),
    ),
  );

const documentOf = ({ title, url: address }) => ({ title, url: address });
const DOCUMENT = "{ readonly source: { title: string; url: string } }";

const documentsOf = (rows) => [...new Set(rows.flatMap(({ source }) => source ?? []))];

/** The constant that lists the documents of a table for numbers in `user`. */
const numberedDocuments = (file, user) =>
  constant(
    [file, "documents"],
    "readonly (readonly [title: string, url: string | null])[]",
    `Documents that ${user} number.`,
    (rows) => documentsOf(rows).map(({ title, url: address }) => [title, address]),
  );

const markedProviders = (column, about) =>
  constant(["providers"], "readonly string[]", about, (rows) =>
    rows.filter((row) => row[column] !== null).map((row) => row.provider),
  );

const FAMILY = `(readonly [
  type: RegExp, gpu: string, sizes: string, document: number, nvlink: boolean | null,
  interconnect?: string | undefined, interconnectR?: string | undefined, soldAs?: readonly string[],
])`;
const LINES = "Readonly<Record<string, string>>";
const LAUNCH_LINES = "readonly (readonly [line: string, needs?: string])[]";

/**
 * A line for each GPU, because pages download them: name, GB, vendor, architecture, form, number of the document, NVLink,
 * family, aliases. Of these, vendor to document are those of the line above if they are empty; - is none.
 */
function gpuLines(gpus) {
  const documents = documentsOf(gpus);
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
    .map((cell, index, cells) => (cell !== null && cell === cells[index - 1] ? "=" : cell))
    .join(" ");

const hasForms = ({ forms }) => forms.length > 0;

/** Slugs, and the names of documents and tables that the figures are read from. */
const figureSources = (gpus) =>
  gpus
    .filter((gpu) => !hasForms(gpu))
    .map((gpu) => [
      gpu.slug,
      [gpu.document, gpu.bandwidth_from, gpu.compute_from, gpu.nvlink_from, gpu.power_from, gpu.year_from],
    ]);

export const modules = {
  "packages/domain/src/gpu/gpus.facts.ts": {
    gpuDocuments: numberedDocuments("gpus", "lines of gpuLines"),
    gpuLines: constant(
      ["gpus"],
      "string",
      "Name, GB, vendor, architecture, form, document, NVLink, family, aliases: see gpu-models.ts.",
      (gpus) => gpuLines(gpus).join("\n"),
    ),
  },
  "packages/domain/src/gpu/gpu-figures.facts.ts": {
    figureTexts: constant(
      ["gpus"],
      "readonly string[]",
      "Lines of slug, bandwidth, BF16, FP16, FP8, NVLink, power, year; none is unknown, = is as the one before.",
      (gpus) => [gpus.flatMap((gpu) => (hasForms(gpu) ? [] : `${gpu.slug} ${figuresOf(gpu)}`)).join("\n")],
    ),
    openForms: constant(
      ["gpus"],
      "ReadonlyMap<string, readonly string[]>",
      "Names that leave the form open, with the cards they may mean.",
      (gpus) => new Map(gpus.filter(hasForms).map(({ slug, forms }) => [slug, forms])),
    ),
  },
  "packages/domain/src/gpu/gpu-sources.facts.ts": {
    figureSources: constant(
      ["gpus"],
      "ReadonlyMap<string, readonly (string | null)[]>",
      "Slug to the maker's document, and the tables of bandwidth, compute, NVLink, power and year.",
      (gpus) => new Map(figureSources(gpus)),
    ),
    figureDocuments: constant(
      ["gpus", "documents"],
      "ReadonlyMap<string, { readonly title: string; readonly url: string | null }>",
      "The documents and tables by name.",
      (gpus, documents) => {
        const named = new Set(figureSources(gpus).flatMap(([, names]) => names));
        return new Map(documents.filter(({ name }) => named.has(name)).map((row) => [row.name, documentOf(row)]));
      },
    ),
    figureNotes: constant(
      ["gpu-notes"],
      "readonly (readonly [note: string, slugs: readonly string[]])[]",
      "Notes on figures, and the GPUs they are about.",
      (notes) => notes.map(({ note, gpus }) => [note, gpus]),
    ),
  },
  "packages/domain/src/gpu/other-accelerators.facts.ts": {
    otherAccelerators: constant(
      ["other-accelerators"],
      "readonly (readonly [name: string, stem: RegExp | null, word: RegExp | null])[]",
      "Accelerators that are no GPUs, by the stem of a spelling, or by a word in it.",
      (rows) => rows.map(({ name, stem, word }) => [name, stem, word]),
    ),
  },
  "packages/domain/src/listing-query/listing-parameter-docs.facts.ts": {
    parameterDocs: rowsOf("listing-parameter-docs", "record", "What the parameters of the listing query mean.", {
      nameOf: ({ name }) => name,
      leftOut: ["name"],
    }),
  },
  "packages/domain/src/provider/providers.facts.ts": {
    providerNames: constant(["providers"], LINES, "Other names of a provider by its key.", (providers) =>
      Object.fromEntries(
        providers.filter(({ aliases }) => aliases.length > 0).map((row) => [row.provider, row.aliases.join(" ")]),
      ),
    ),
  },
  "packages/domain/src/search/place-names.facts.ts": {
    placeLines: constant(["place-names"], "string", "Names and the codes they mean, a line for each meaning.", (rows) =>
      rows.map(({ names, places }) => `${names.join(" ")}|${places}`).join("\n"),
    ),
  },
  "packages/domain/src/launch/tool-names.facts.ts": {
    toolClouds: rowsOf("tool-clouds", "map", "Clouds of SkyPilot and dstack, by the tool and the provider.", {
      nameOf: byToolAndProvider,
    }),
    toolMachines: rowsOf(
      "tool-machines",
      "groups",
      "Machines as these tools name them, by the tool and the provider.",
      {
        nameOf: byToolAndProvider,
      },
    ),
    imageForms: rowsOf("image-forms", "groups", "What texts need of images, by provider."),
    launchCommands: rowsOf(
      "launch-commands",
      "list",
      "Commands and requests that rent machines, with their lines by part and what they need.",
      {
        leftOut: ["name", "source"],
        from: ["launch-lines", "documents"],
        moreType: `${DOCUMENT} & {
  readonly lines: { readonly text: ${LAUNCH_LINES} } & { readonly [Part in ${unionOf(LAUNCH_PARTS)}]?: ${LAUNCH_LINES} };
}`,
        more: (row, lines) => ({
          source: documentOf(row.source),
          lines: Object.fromEntries(
            groupsBy(
              ({ part }) => part,
              lines.filter(({ command }) => command === row.name),
              ({ line, needs }) => [line, needs.join(" ") || undefined],
            ),
          ),
        }),
      },
    ),
    launchVolumes: rowsOf(
      "launch-volumes",
      "map",
      "Commands that add a volume to a machine and remove it, by provider.",
    ),
  },
  "packages/domain/src/launch/rent-pages.facts.ts": {
    rentPages: constant(
      ["rent-pages"],
      "ReadonlyMap<string, readonly [page: string, offer?: string | null]>",
      "Pages on which machines are rented, by provider: the provider's, and the template of an offer's.",
      (rows) => new Map(rows.map(({ provider: name, page, offer }) => [name, [page, offer]])),
    ),
  },
  "packages/domain/src/model/model-shapes.facts.ts": {
    modelDocuments: numberedDocuments("model-shapes", "rows of modelShapes"),
    modelShapes: constant(
      ["model-shapes"],
      `readonly (readonly [
  model: string, upToB: number | null, layers: number, kvHeads: number, headDim: number, document: number,
])[]`,
      "Public models by the billions of parameters up to which they stand for others, smallest first.",
      (shapes) =>
        shapes.map(({ source, ...row }) => Object.values({ ...row, document: documentsOf(shapes).indexOf(source) })),
    ),
  },
  "packages/sources/src/price-lists.facts.ts": {
    vastGpus: constant(["vast-gpus"], "readonly string[]", "Names of GPUs in Vast's spelling.", (rows) =>
      rows.map(({ name }) => name),
    ),
    awsRegionNames: constant(
      ["price-file-regions"],
      "ReadonlyMap<string, readonly [name: string, ...others: string[]]>",
      "Names of AWS's regions in its price files; the first is in addresses.",
      (rows) => new Map(rows.filter((row) => row.provider === "aws").map((row) => [row.region, row.names])),
    ),
    ociShapes: constant(
      ["oci-products"],
      "ReadonlyMap<string, readonly string[]>",
      "Shapes whose GPUs a product of Oracle's price list pays for.",
      (rows) => new Map(rows.map((row) => [row.product, row.shapes])),
    ),
    gcpGpus: rowsOf("gcp-gpus", "list", "GPUs of Google Cloud's price list: see facts/gcp-gpus.csv.", {
      leftOut: ["gpu", "source"],
      from: ["gpus"],
      moreType: "{ readonly slug: string; readonly vramGb: number }",
      more: ({ gpu }) => ({ slug: gpu.slug, vramGb: gpu.vram_gb }),
    }),
  },
  "packages/sources/src/rejections.facts.ts": {
    rejections: rowsOf("rejections", "record", "Why rows are rejected, by code.", {
      nameOf: ({ code }) => code,
      leftOut: ["code"],
    }),
  },
  "packages/sources/src/live/live-sources.facts.ts": {
    liveSourceFacts: rowsOf("live-sources", "record", "What is known of live sources besides their code.", {
      nameOf: ({ name }) => name,
    }),
  },
  "packages/sources/src/region/places.facts.ts": {
    regionForms: rowsOf("region-forms", "map", "How providers write their regions."),
    regionLines: linesOf("regions", "Region, country and city, by provider.", byProvider, [
      "region",
      "country",
      "city",
    ]),
    siteLines: linesOf("sites", "Data center, country and city, by provider.", byProvider, ["site", "country", "city"]),
    cityLines: linesOf("cities", "Cities by country.", byCountry, ["city"]),
    stateLines: linesOf("states", "Code and name of states, by country.", byCountry, ["code", "name"]),
  },
  "packages/sources/src/instance/instance-types.facts.ts": {
    typeNames: rowsOf("type-names", "list", "What names of types state.", { leftOut: ["example"] }),
    instanceDocuments: numberedDocuments("instance-types", "rows of familyRows"),
    familyRows: constant(
      ["instance-types"],
      `Readonly<Record<string, readonly ${FAMILY}[]>>`,
      "Families of types by provider.",
      (types) => {
        const documents = documentsOf(types);
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
        return Object.fromEntries(groupsBy(byProvider, types, rowOfFamily));
      },
    ),
  },
  "packages/sources/src/disks.facts.ts": {
    diskGaps: constant(
      ["disk-gaps"],
      "ReadonlyMap<string, string>",
      "What is unknown of a provider's disks.",
      (rows) => new Map(rows.map((row) => [row.provider, row.unknown])),
    ),
    diskRows: rowsOf("disks", "list", "Disks of providers, see disk-table.ts.", {
      leftOut: ["price", "source"],
      from: ["documents"],
      moreType: `{
  readonly perGb?: number; readonly steps?: readonly (readonly number[])[]; readonly source: string;
}`,
      more: ({ price, source }) => ({
        ...(price !== null && { [Array.isArray(price) ? "steps" : "perGb"]: price }),
        source: source.url ?? source.title,
      }),
    }),
  },
  "packages/sources/src/providers.facts.ts": {
    skypilotFiles: rowsOf(
      "skypilot-files",
      "map",
      "What the files of providers in SkyPilot's catalog don't say, see facts/skypilot-files.csv.",
    ),
    cloudCurrencies: constant(
      ["providers"],
      "ReadonlyMap<string, { readonly currency: string; readonly source: string }>",
      "Currencies other than USD, with the page of prices.",
      (rows) =>
        new Map(
          rows
            .filter(({ currency: code }) => code !== null)
            .map((row) => [row.provider, { currency: row.currency, source: row.prices }]),
        ),
    ),
    collectedCurrencies: constant(
      ["collected-currencies"],
      "ReadonlyMap<string, string>",
      "Currencies in collections of others, by the provider and the collection.",
      (rows) => new Map(rows.map((row) => [`${row.provider} ${row.collection}`, row.currency])),
    ),
    marketplaces: markedProviders("is_marketplace", "Providers with many sellers."),
    productTypes: markedProviders("has_product_types", "Clouds whose instance types are documented products."),
    ownTypes: markedProviders("has_own_types", "Clouds whose SkyPilot files have their own names of types."),
  },
};
