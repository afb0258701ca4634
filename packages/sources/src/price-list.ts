import { providerNameSchema, readQuantity, type QuantityKind } from "@gpu-offers/domain";
import { currencyIn, currencyOf, moneyOfFile, type FileMoney } from "./currencies.js";
import { dedupe } from "./duplicates.js";
import type { GpuAliases } from "./gpu-alias.js";
import { csvRecords } from "./input/csv.js";
import { utf8Bytes, type Chunks } from "./input/utf8.js";
import { itemOfFacts, nameOfMachine, type OfferFacts } from "./offer-of.js";
import { Rejection } from "./rejection.js";
import { showValue } from "./shown-value.js";
import { SourceError } from "./source-error.js";
import { rejectionItem, withProviders, type SourceItem } from "./source-item.js";

/** A fact that a column of a price list may hold. */
export type PriceListField = keyof OfferFacts | "pricePerGpu";

const FIELD_KINDS = {
  provider: "text",
  gpu: "text",
  gpuCount: "count",
  priceHourly: "money",
  priceMonthly: "money",
  pricePerGpu: "money",
  currency: "currency",
  taxPercent: "percent",
  country: "text",
  city: "text",
  region: "text",
  disk: "gb",
  vramGb: "gb",
  vcpu: "count",
  ram: "gb",
  instanceType: "text",
  spotHourly: "money",
  available: "boolean",
  type: "text",
} as const satisfies Readonly<
  Record<PriceListField, "text" | "boolean" | "money" | "currency" | "percent" | QuantityKind>
>;

/** The facts that columns can hold. */
export const PRICE_LIST_FIELDS = Object.keys(FIELD_KINDS) as readonly PriceListField[];

/**
 * Which column holds which fact: the name in the header, or one value for all rows. `pricePerGpu`, per hour, may stand in
 * place of `priceHourly`.
 * @example { provider: { value: "acme" }, gpu: "Card", gpuCount: "Cards", pricePerGpu: "USD per card", country: "Country" }
 */
export type PriceListColumns = {
  [Field in PriceListField]?: string | { value: string | number | boolean };
};

/** How a price list is read. */
export interface PriceListOptions extends FileMoney {
  /** Which column holds which fact. */
  columns: PriceListColumns;
  /** Provider of all rows, if no column holds it. */
  provider?: string | undefined;
  /** Your own GPU names, as `parseGpuAliases` reads them. */
  gpuAliases?: GpuAliases | undefined;
}

/**
 * Reads a CSV of your own with a header. Cells may have units: `$2.50`, `€4.12`, `900 EUR/month`, `1TB`, `80 GB`. A row that
 * is not valid is a rejection that names its cell; every other row is an offer. Rows that state no currency have that of the
 * options, or of the column's name, else USD; a note says so of clouds whose own prices are in another currency.
 * @throws SourceError if a column is missing or a required fact has none.
 */
export async function* readPriceList(chunks: Chunks, options: PriceListOptions): AsyncGenerator<SourceItem> {
  const money = moneyOfFile(options);
  const rows: { where: string; facts: OfferFacts | Rejection }[] = [];
  let cells: Cells | undefined;
  for await (const { line, fields } of csvRecords(utf8Bytes(chunks))) {
    if (cells === undefined) {
      cells = new Cells(fields, options);
    } else {
      rows.push({ where: `line ${line}`, facts: cells.read(fields) });
    }
  }
  if (cells === undefined) {
    throw new SourceError("The file is empty.");
  }
  const itemsWith = (shared: ReadonlySet<string>) =>
    rows.map(({ where, facts }) =>
      facts instanceof Rejection
        ? rejectionItem(where, facts)
        : itemOfFacts(where, facts, { ...options, money, isTypeShared: shared.has(machineKey(facts)) }),
    );
  yield* withProviders(dedupe(itemsWith(sharedTypes(rows.map(({ facts }) => facts)))), "vm");
  yield* assumptionNotes(cells.assumed);
}

/** What a name of a type belongs to. */
function machineKey({ provider, instanceType, region, city, country, gpu, gpuCount = 1 }: OfferFacts): string {
  return JSON.stringify([provider, instanceType, region ?? city ?? country, gpu, gpuCount]);
}

/** Types whose rows in one region state different machines, so that the type alone would make one offer of them. */
function sharedTypes(rows: readonly (OfferFacts | Rejection)[]): ReadonlySet<string> {
  const typed = rows.filter((row): row is OfferFacts => !(row instanceof Rejection) && row.instanceType !== undefined);
  const machines = Map.groupBy(typed, machineKey);
  return new Set([...machines].filter(([, some]) => new Set(some.map(nameOfMachine)).size > 1).map(([key]) => key));
}

function assumptionNotes(assumed: ReadonlyMap<string, number>): SourceItem[] {
  return [...assumed].map(([provider, rows]) => {
    const own = currencyOf(provider);
    const note = `${provider} prices in ${own}, and the prices of ${rows} of its rows state no currency: they are read as USD. State the currency, ${own} or USD.`;
    return { kind: "note", where: "file", note };
  });
}

/** Where a fact stands: the name to show, and its text in a row. */
interface Cell {
  column: string;
  textIn: (fields: readonly string[]) => string;
}

class Cells {
  readonly #cells = new Map<PriceListField, Cell>();
  readonly #count: number;
  readonly #currency: string | undefined;
  /** Rows by provider that are in USD because nothing says otherwise, although their provider prices in another currency. */
  readonly assumed = new Map<string, number>();

  constructor(header: readonly string[], { columns, provider, currency }: PriceListOptions) {
    this.#currency = currency;
    this.#count = header.length;
    const names = header.map((name) => name.trim());
    const given: PriceListColumns = provider === undefined ? columns : { ...columns, provider: { value: provider } };
    for (const [field, column] of Object.entries(given)) {
      if (!isField(field)) {
        throw new SourceError(`There is no fact ${showValue(field)}. The facts are ${PRICE_LIST_FIELDS.join(", ")}.`);
      }
      if (typeof column === "object") {
        this.#cells.set(field, { column: field, textIn: () => String(column.value) });
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
      this.#cells.set(field, { column, textIn: (fields) => fields[at] ?? "" });
    }
    const hasOnePrice = PRICES.filter((field) => this.#cells.has(field)).length === 1;
    const lacking =
      (["provider", "gpu"] as const).find((field) => !this.#cells.has(field)) ??
      (hasOnePrice ? undefined : "priceHourly, pricePerGpu or priceMonthly, not several,");
    if (lacking !== undefined) {
      throw new SourceError(
        `No column is given for ${lacking}. Give the name of one, or a value for all rows: { value: ... }.`,
      );
    }
  }

  read(fields: readonly string[]): OfferFacts | Rejection {
    if (fields.length !== this.#count) {
      return new Rejection("bad_row", `The row has ${fields.length} fields and the header ${this.#count}.`);
    }
    const facts: Partial<Record<PriceListField, string | number | boolean>> = {};
    const amounts = new Map<PriceListField, Amount>();
    for (const [field, { column, textIn }] of this.#cells) {
      const text = textIn(fields).trim();
      const value = text === "" ? undefined : readCell(field, text, column);
      if (value instanceof Rejection) {
        return value;
      }
      if (typeof value === "object") {
        amounts.set(field, value);
      } else if (value !== undefined) {
        facts[field] = value;
      }
    }
    if (facts.provider === undefined || facts.gpu === undefined) {
      return new Rejection("missing_value", `The ${facts.gpu === undefined ? "GPU" : "provider"} is empty.`);
    }
    // Each value has the kind of its field.
    return this.#priced(facts as Omit<OfferFacts, "priceHourly">, amounts);
  }

  /** Facts with their prices, which are all in one currency. */
  #priced(facts: OfferFacts, amounts: ReadonlyMap<PriceListField, Amount>): OfferFacts | Rejection {
    const [field = "priceHourly", price] = [...amounts].find(([name]) => name !== "spotHourly") ?? [];
    if (price === undefined) {
      return new Rejection("no_price", "The row has no price.");
    }
    const stated = new Set([facts.currency, ...[...amounts.values()].map(({ currency }) => currency)]);
    stated.delete(undefined);
    if (stated.size > 1) {
      return new Rejection("unknown_currency", `The row states several currencies: ${[...stated].join(", ")}.`);
    }
    const [currency = this.#currency ?? currencyIn(this.#cells.get(field)?.column ?? "")] = stated;
    if (currency === undefined && currencyOf(facts.provider) !== "USD") {
      this.assumed.set(facts.provider, (this.assumed.get(facts.provider) ?? 0) + 1);
    }
    const amount = price.amount * (field === "pricePerGpu" ? (facts.gpuCount ?? 1) : 1);
    const isMonthly = (price.per ?? (field === "priceMonthly" ? "month" : "hour")) === "month";
    const spotHourly = amounts.get("spotHourly")?.amount;
    return { ...facts, currency, ...(isMonthly ? { priceMonthly: amount } : { priceHourly: amount }), spotHourly };
  }
}

/** Fields of which a price list has one. */
const PRICES = ["priceHourly", "pricePerGpu", "priceMonthly"] as const;

function isField(name: string): name is PriceListField {
  return Object.hasOwn(FIELD_KINDS, name);
}

const YES = new Set(["yes", "y", "true", "available", "in stock"]);
const NO = new Set(["no", "n", "false", "unavailable", "out of stock", "sold out"]);

function readCell(field: PriceListField, text: string, column: string): string | number | boolean | Amount | Rejection {
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
  if (kind === "money") {
    return readAmount(text, column);
  }
  if (kind === "currency") {
    return currencyIn(text) ?? text;
  }
  if (kind === "percent") {
    const percent = /^(\d{1,2}(?:\.\d+)?) ?%?$/.exec(text)?.[1];
    return percent === undefined
      ? new Rejection("bad_number", `${column} is ${showValue(text)}; it must be a percentage, such as 19%.`)
      : Number(percent);
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
  return read.ok ? read.value : new Rejection("bad_number", `${column} is ${showValue(text)}; it ${read.reason}.`);
}

interface Amount {
  amount: number;
  /** ISO 4217, if the cell states it. */
  currency?: string | undefined;
  /** The time that it is for, if the cell states it. */
  per?: "hour" | "month" | undefined;
}

const UNIT = String.raw`[A-Za-z]{3}|US\$|[$\u20ac\u00a3]`;
const MONEY = new RegExp(
  String.raw`^(${UNIT})? ?([\d.,]+) ?(${UNIT})?(?: ?(?:/|per) ?(?:(h|hr|hour)|mo(?:nth)?))?$`,
  "i",
);
const PLAIN = /^\d{0,9}(?:\.\d{1,20})?$|^\d{1,3}(?:,\d{3})+(?:\.\d{1,20})?$/;
// A comma before two digits can't separate thousands.
const DECIMAL_COMMA = /^(?:\d{1,9}|\d{1,3}(?:\.\d{3})+),\d{1,2}$/;

/**
 * An amount as people write it: `2.50`, `$2.50/h`, `€4.12`, `4,12 EUR`, `2,900 USD/month`, `1.1179999999999999`; or its
 * rejection. With another currency than the dollar, `4,125` may be 4.125 or 4125, so it is rejected.
 */
function readAmount(text: string, column: string): Amount | Rejection {
  const [all, before, digits = "", after, hour] = MONEY.exec(text) ?? [];
  const unit = before ?? after;
  const currency = unit === undefined ? undefined : currencyIn(unit);
  const isAmbiguous = currency !== undefined && currency !== "USD" && /^\d{1,3},\d{3}$/.test(digits);
  const amount = DECIMAL_COMMA.test(digits)
    ? Number(digits.replaceAll(".", "").replace(",", "."))
    : PLAIN.test(digits)
      ? Number(digits.replaceAll(",", ""))
      : Number.NaN;
  const isRead = !Number.isNaN(amount) && /\d/.test(digits) && (before === undefined || after === undefined);
  if (!isRead || isAmbiguous || (unit !== undefined && currency === undefined)) {
    const reason = `${column} is ${showValue(text)}; it must be an amount, such as 2.50, $2, €4.12 or 900 EUR/month.`;
    return new Rejection("bad_price", reason);
  }
  const per = /(?:\/|per)/i.test(all ?? "") ? (hour === undefined ? "month" : "hour") : undefined;
  return { amount, ...(currency !== undefined && { currency }), ...(per !== undefined && { per }) };
}
