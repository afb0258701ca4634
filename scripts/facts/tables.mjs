// The files of facts/ with their columns, and the modules that are compiled from them. To add a file, add a table here, and
// to use it, a constant of a module: its type, what it is, and its value.
import { key, list, matching, nameIn, number, oneOf, optional, pattern, rowOf, text, url, year, yesNo } from "./cells.mjs";

const country = matching(/^[A-Z]{2}$/, "an ISO 3166-1 alpha-2 code");
const currency = matching(/^(?!USD)[A-Z]{3}$/, "an ISO 4217 code other than USD");
const provider = matching(/^[a-z0-9]+$/, "a key of a provider: lower-case letters and digits");
const lowerCase = matching(/^[^A-Z]+$/, "in lower case");
const document = rowOf("documents");
const figure = optional(number);
const readFrom = optional(nameIn("documents"));
const mark = optional(oneOf("yes"));

/** Each file by its name, with its columns; `unique` names those that no two rows have in common. */
export const tables = {
  documents: { columns: { name: key, title: text, url: optional(url) }, unique: ["name"] },
  gpus: {
    columns: {
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
      forms: list("; ", key),
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
    },
    unique: ["slug"],
  },
  "gpu-notes": { columns: { note: text, gpus: list(" ", nameIn("gpus")) }, unique: ["note"] },
  regions: {
    columns: { provider, region: lowerCase, country, city: optional(text, ""), source: document },
    unique: ["provider", "region"],
  },
  sites: {
    columns: { provider, site: lowerCase, country, city: optional(text, ""), source: document },
    unique: ["provider", "site"],
  },
  cities: { columns: { country, city: text }, unique: ["city"] },
  states: { columns: { country, code: country, name: text }, unique: ["country", "code"] },
  "instance-types": {
    columns: {
      provider,
      type: pattern,
      gpu: nameIn("gpus"),
      sold_as: list(" ", key),
      nvlink: optional(yesNo),
      interconnect: optional(text),
      interconnect_r: optional(text),
      sizes: list(" ", instanceSize),
      source: document,
    },
  },
  providers: {
    columns: {
      provider,
      currency: optional(currency),
      prices: optional(url),
      is_marketplace: mark,
      has_product_types: mark,
      has_own_types: mark,
    },
    unique: ["provider"],
  },
};

/** `xlarge:1,4,16` has one GPU, 4 vCPUs and 16 GB; `large:1/8,2,8` an eighth of a GPU; `8` is `8:8`. */
function instanceSize(cell) {
  const [, size, facts = size] = /^([a-z0-9-]+)(?::(.*))?$/.exec(cell) ?? [];
  const [gpus = "", ...others] = facts?.split(",") ?? [];
  if (!/^(?:1\/)?[1-9]\d*$/.test(gpus) || others.length > 2) {
    throw new Error(`must be SIZE:GPUS,VCPUS,GB, not ${JSON.stringify(cell)}`);
  }
  return [size, [gpus.startsWith("1/") ? gpus : number(gpus), ...others.map(number)]];
}

/** The values of a column by key, in a map for each provider or country. */
function grouped(rows, group, entry) {
  const groups = new Map();
  for (const row of rows) {
    groups.set(row[group], [...(groups.get(row[group]) ?? []), entry(row)]);
  }
  return groups;
}

const placeOf = ({ country: code, city }) => [code, city];

/** Maps within a map, by provider. */
const places = (rows, name) =>
  new Map([...grouped(rows, "provider", (row) => [row[name], placeOf(row)])].map(([of, all]) => [of, new Map(all)]));

const PLACES = "ReadonlyMap<string, ReadonlyMap<string, Place>>";
const placeImport = 'import type { Place } from "./region-table.js";';

/**
 * A line for each GPU, because pages download them: name, GB, vendor, architecture, form, number of the document, NVLink,
 * family, aliases. Of these, vendor to document are those of the line above if they are empty; - is none.
 */
function gpuLines(gpus, documents) {
  let above = [];
  return gpus.map((gpu) => {
    const shared = [gpu.vendor, gpu.architecture, gpu.form ?? "-", gpu.source === null ? "-" : documents.indexOf(gpu.source)];
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
  [gpu.bandwidth_gbs, gpu.bf16, gpu.fp16, gpu.fp8, gpu.nvlink_gbs, gpu.power_w, gpu.year].map((cell) => cell ?? "-").join(" ");

const hasForms = ({ forms }) => forms.length > 0;

/** Each module: its file, the tables it is compiled from, and its constants. */
export const modules = [
  {
    file: "packages/domain/src/gpu/gpus.facts.ts",
    from: ["gpus", "documents"],
    constants({ gpus }) {
      const documents = [...new Set(gpus.flatMap(({ source }) => source ?? []))];
      return {
        gpuDocuments: {
          type: "readonly (readonly [title: string, url: string | null])[]",
          about: "Documents that lines of gpuLines number.",
          value: documents.map(({ title, url: address }) => [title, address]),
        },
        gpuLines: {
          type: "string",
          about: "Name, GB, vendor, architecture, form, document, NVLink, family, aliases: see gpu-models.ts.",
          value: gpuLines(gpus, documents).join("\n"),
        },
      };
    },
  },
  {
    file: "packages/domain/src/gpu/gpu-figures.facts.ts",
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
  {
    file: "packages/domain/src/gpu/gpu-sources.facts.ts",
    from: ["gpus", "gpu-notes", "documents"],
    constants({ gpus, documents, "gpu-notes": notes }) {
      const sources = gpus
        .filter((gpu) => !hasForms(gpu))
        .map((gpu) => [
          gpu.slug,
          [gpu.document, gpu.bandwidth_from, gpu.compute_from, gpu.nvlink_from, gpu.power_from, gpu.year_from],
        ]);
      const named = new Set(sources.flatMap(([, names]) => names));
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
            documents.filter(({ name }) => named.has(name)).map(({ name, title, url: address }) => [name, { title, url: address }]),
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
  {
    file: "packages/sources/src/region/places.facts.ts",
    from: ["regions", "sites", "cities", "states"],
    imports: [placeImport],
    constants: ({ regions, sites, cities, states }) => ({
      regionPlaces: { type: PLACES, about: "Places by provider and region.", value: places(regions, "region") },
      sitePlaces: { type: PLACES, about: "Places by provider and data center.", value: places(sites, "site") },
      cityPlaces: { type: "readonly Place[]", about: "Cities with data centers.", value: cities.map(placeOf) },
      states: {
        type: "ReadonlyMap<string, ReadonlyMap<string, string>>",
        about: "Names of states by country and code.",
        value: new Map(
          [...grouped(states, "country", ({ code, name }) => [code, name])].map(([of, all]) => [of, new Map(all)]),
        ),
      },
    }),
  },
  {
    file: "packages/sources/src/instance/instance-types.facts.ts",
    from: ["instance-types", "documents"],
    imports: ['import type { InstanceFamily } from "./instance-family.js";'],
    constants: ({ "instance-types": types }) => ({
      instanceFamilies: {
        type: "ReadonlyMap<string, readonly InstanceFamily[]>",
        about: "Documented families of types by provider.",
        value: grouped(types, "provider", (row) => ({
          pattern: row.type,
          gpu: row.gpu,
          soldAs: row.sold_as,
          nvlink: row.nvlink,
          interconnect: row.interconnect,
          interconnectR: row.interconnect_r,
          sizes: Object.fromEntries(row.sizes),
          source: { title: row.source.title, url: row.source.url },
        })),
      },
    }),
  },
  {
    file: "packages/sources/src/providers.facts.ts",
    from: ["providers"],
    constants({ providers }) {
      const having = (column) => providers.filter((row) => row[column] !== null).map((row) => row.provider);
      return {
        cloudCurrencies: {
          type: "ReadonlyMap<string, { readonly currency: string; readonly source: string }>",
          about: "Currencies other than USD, with the page of prices.",
          value: new Map(
            providers
              .filter((row) => row.currency !== null)
              .map((row) => [row.provider, { currency: row.currency, source: row.prices }]),
          ),
        },
        marketplaces: { type: "readonly string[]", about: "Providers with many sellers.", value: having("is_marketplace") },
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
];
