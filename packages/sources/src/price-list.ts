import { providerNameSchema, readQuantity, type QuantityKind } from "@gpu-offers/domain";
import { dedupe } from "./duplicates.js";
import type { GpuAliases } from "./gpu-alias.js";
import { csvRecords } from "./input/csv.js";
import { utf8Bytes, type Chunks } from "./input/utf8.js";
import { itemOfFacts, type OfferFacts } from "./offer-of.js";
import { Rejection } from "./rejection.js";
import { showValue } from "./shown-value.js";
import { SourceError } from "./source-error.js";
import { itemOf, type SourceItem } from "./source-item.js";

/** A fact that a column of a price list may hold. */
export type PriceListField = keyof OfferFacts | "pricePerGpu";

/** How each fact is written in a cell. */
const FIELD_KINDS = {
  provider: "text",
  gpu: "text",
  gpuCount: "count",
  priceHourly: "usd",
  pricePerGpu: "usd",
  country: "text",
  city: "text",
  region: "text",
  disk: "gb",
  vramGb: "gb",
  vcpu: "count",
  ram: "gb",
  instanceType: "text",
  spotHourly: "usd",
  available: "boolean",
  type: "text",
} as const satisfies Readonly<Record<PriceListField, "text" | "boolean" | QuantityKind>>;

/** The facts that columns can hold. */
export const PRICE_LIST_FIELDS = Object.keys(FIELD_KINDS) as readonly PriceListField[];

/**
 * Which column holds which fact: the name in the header, or one value for all rows. `pricePerGpu`, in USD per hour, may
 * stand in place of `priceHourly`.
 * @example { provider: { value: "acme" }, gpu: "Card", gpuCount: "Cards", pricePerGpu: "USD per card", country: "Country" }
 */
export type PriceListColumns = {
  [Field in PriceListField]?: string | { value: string | number | boolean };
};

/** How a price list is read. */
export interface PriceListOptions {
  /** Which column holds which fact. */
  columns: PriceListColumns;
  /** Provider of all rows, if no column holds it. */
  provider?: string | undefined;
  /** Your own GPU names, as `parseGpuAliases` reads them. */
  gpuAliases?: GpuAliases | undefined;
}

/**
 * Reads a CSV of your own with a header. Cells may have units: `$2.50`, `1TB`, `80 GB`. A row that is not valid is a
 * rejection that names its cell; every other row is an offer.
 * @throws SourceError if a column is missing or a required fact has none.
 */
export async function* readPriceList(chunks: Chunks, options: PriceListOptions): AsyncGenerator<SourceItem> {
  const items: SourceItem[] = [];
  let cells: Cells | undefined;
  for await (const { line, fields } of csvRecords(utf8Bytes(chunks))) {
    if (cells === undefined) {
      cells = new Cells(fields, options);
      continue;
    }
    const where = `line ${line}`;
    const facts = cells.read(fields);
    items.push(facts instanceof Rejection ? itemOf(where, facts) : itemOfFacts(where, facts, options));
  }
  if (cells === undefined) {
    throw new SourceError("The file is empty.");
  }
  const named = new Set<string>();
  for (const item of dedupe(items)) {
    if (item.kind === "offer" && !named.has(item.offer.provider.name)) {
      named.add(item.offer.provider.name);
      yield { kind: "provider", where: item.where, provider: { name: item.offer.provider.name, type: "vm" } };
    }
    yield item;
  }
}

type Cell = { at: number; column: string } | { value: string };

class Cells {
  readonly #cells = new Map<PriceListField, Cell>();
  readonly #count: number;

  constructor(header: readonly string[], { columns, provider }: PriceListOptions) {
    this.#count = header.length;
    const names = header.map((name) => name.trim());
    const given: PriceListColumns = provider === undefined ? columns : { ...columns, provider: { value: provider } };
    for (const [field, column] of Object.entries(given)) {
      if (!isField(field)) {
        throw new SourceError(`There is no fact ${showValue(field)}. The facts are ${PRICE_LIST_FIELDS.join(", ")}.`);
      }
      if (typeof column === "object") {
        this.#cells.set(field, { value: String(column.value) });
        continue;
      }
      const at = names.indexOf(column.trim());
      if (at === -1) {
        // Spreadsheets of many languages export semicolons.
        const isOtherwiseSeparated = names.length === 1 && /[;\t|]/.test(names[0] ?? "");
        throw new SourceError(
          `${field} is in the column ${showValue(column)}, which the file lacks. It has ${names.join(", ")}.${isOtherwiseSeparated ? " Separate the columns with commas." : ""}`,
        );
      }
      this.#cells.set(field, { at, column });
    }
    for (const field of ["provider", "gpu"] as const) {
      this.#require(this.#cells.has(field), field);
    }
    this.#require(
      this.#cells.has("priceHourly") !== this.#cells.has("pricePerGpu"),
      "priceHourly or pricePerGpu, not both,",
    );
  }

  #require(isGiven: boolean, field: string): void {
    if (!isGiven) {
      throw new SourceError(
        `No column is given for ${field}. Give the name of one, or a value for all rows: { value: ... }.`,
      );
    }
  }

  read(fields: readonly string[]): OfferFacts | Rejection {
    if (fields.length !== this.#count) {
      return new Rejection("bad_row", `The row has ${fields.length} fields and the header ${this.#count}.`);
    }
    const facts: Partial<Record<PriceListField, string | number | boolean>> = {};
    for (const [field, cell] of this.#cells) {
      const text = ("value" in cell ? cell.value : (fields[cell.at] ?? "")).trim();
      if (text === "") {
        continue;
      }
      const value = readCell(field, text, "value" in cell ? field : cell.column);
      if (value instanceof Rejection) {
        return value;
      }
      facts[field] = value;
    }
    const { pricePerGpu, ...others } = facts;
    const priceHourly =
      facts.priceHourly ?? (pricePerGpu === undefined ? undefined : Number(pricePerGpu) * Number(facts.gpuCount ?? 1));
    if (facts.provider === undefined || facts.gpu === undefined) {
      return new Rejection("missing_value", `The ${facts.gpu === undefined ? "GPU" : "provider"} is empty.`);
    }
    // Each value has the kind of its field.
    return priceHourly === undefined
      ? new Rejection("no_price", "The row has no price.")
      : ({ ...others, priceHourly } as OfferFacts);
  }
}

function isField(name: string): name is PriceListField {
  return Object.hasOwn(FIELD_KINDS, name);
}

const YES = new Set(["yes", "y", "true", "available", "in stock"]);
const NO = new Set(["no", "n", "false", "unavailable", "out of stock", "sold out"]);

function readCell(field: PriceListField, text: string, column: string): string | number | boolean | Rejection {
  const kind = FIELD_KINDS[field];
  if (field === "provider" && !providerNameSchema.safeParse(text).success) {
    // Names of companies: Acme Cloud is acme-cloud.
    return text
      .toLowerCase()
      .replaceAll(/[^a-z0-9.]+/g, "-")
      .replaceAll(/^-|-$/g, "");
  }
  if (kind === "text") {
    return text;
  }
  if (kind === "boolean") {
    const word = text.toLowerCase();
    // Some lists have the number of free machines.
    const isAvailable = YES.has(word) ? true : NO.has(word) ? false : /^\d+$/.test(word) ? word !== "0" : undefined;
    return isAvailable ?? new Rejection("bad_row", `${column} is ${showValue(text)}; it must be yes or no.`);
  }
  if (kind === "gb" && /^0(?:\.0*)?\s*(?:gb|tb)?$/i.test(text)) {
    return 0;
  }
  const read = readQuantity(kind, text);
  return read.ok
    ? read.value
    : new Rejection(kind === "usd" ? "bad_price" : "bad_number", `${column} is ${showValue(text)}; it ${read.reason}.`);
}
