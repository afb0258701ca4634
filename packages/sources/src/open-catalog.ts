import { providerNameSchema, type ListingFacts, type Offer } from "@gpu-offers/domain";
import { withdrawCrossProducts } from "./cross-product.js";
import { currencyOf, moneyOfFile, type FileMoney } from "./currencies.js";
import { dedupe } from "./duplicates.js";
import type { GpuAliases } from "./gpu-alias.js";
import { contentOf, type CatalogContent } from "./input/content.js";
import { peek } from "./input/lines.js";
import { streamOf } from "./input/utf8.js";
import { readPriceList, type PriceListColumns } from "./price-list.js";
import { readNative } from "./native/read-native.js";
import type { NativeHeader } from "./native/write-native.js";
import { readApiResponse } from "./read-api-response.js";
import { readSkypilot } from "./skypilot/read-skypilot.js";
import { SourceError, type SourceProblem } from "./source-error.js";
import { isOffer, type ProviderType, type RejectionItem, type SourceItem, type SourceProvider } from "./source-item.js";

/** The supported catalog formats. */
export const CATALOG_FORMATS = ["native", "skypilot", "api", "csv"] as const;

/** One of {@link CATALOG_FORMATS}. */
export type CatalogFormat = (typeof CATALOG_FORMATS)[number];

/** Facts that a catalog may not contain. */
export interface CatalogOptions extends FileMoney {
  /**
   * Path of the file, which may contain the provider of a SkyPilot catalog: `aws/vms.csv`; default: that of the response's
   * address, or the file's name.
   */
  path?: string | undefined;
  /** Format; by default it is detected. */
  format?: CatalogFormat | undefined;
  /** Provider of all offers. A native catalog has its own. */
  provider?: string | undefined;
  /** Provider whose tables apply to a SkyPilot catalog, if not {@link provider}. */
  tables?: string | undefined;
  /** Returns the type of the provider when reading begins. A native catalog has its own. */
  type?: (() => ProviderType | undefined) | undefined;
  /** Which column of a CSV of your own holds which fact; the format is `csv` then. */
  columns?: PriceListColumns | undefined;
  /** Your own GPU names, as `parseGpuAliases` reads them. */
  gpuAliases?: GpuAliases | undefined;
  /** Called with the header of a native catalog, before the first item. */
  onHeader?: ((header: NativeHeader) => void) | undefined;
}

/** A catalog that is ready to be read. */
export interface OpenedCatalog {
  /** The format, stated or detected. */
  format: CatalogFormat;
  /** The provider from the options or the path; undefined if the catalog has its own. */
  provider: string | undefined;
  /** One item for each row. */
  items: AsyncIterable<SourceItem>;
}

/**
 * Opens a catalog in any format. The format is detected from the start of the content: native catalogs have a member
 * `format`, other JSON is the response of a server, and everything else is a SkyPilot CSV.
 * @throws SourceError if a response has an error status, the format is unknown, or a SkyPilot catalog has no provider. Reading
 * the items throws it for invalid content.
 */
export async function openCatalog(content: CatalogContent, options: CatalogOptions = {}): Promise<OpenedCatalog> {
  const { chunks, path } = contentOf(content);
  const { head, all } = await peekText(streamOf(chunks));
  const reject = async (problem: SourceProblem, reason: string): Promise<never> => {
    await all.return(undefined);
    throw new SourceError(reason, undefined, { problem });
  };
  const format = options.format ?? (options.columns === undefined ? detectFormat(head) : "csv");
  if (options.format === undefined && format === "skypilot" && !mayBeSkypilot(head)) {
    return await reject(
      "unknown_text",
      "The content is neither JSON nor a SkyPilot CSV, whose first line names the column InstanceType. For a CSV of your own, set the option columns.",
    );
  }
  const { gpuAliases, currency, tables, onHeader } = options;
  if (format === "native") {
    const read = () => readNative(all, { onHeader, gpuAliases, currency, money: moneyOfFile(options) });
    return { format, provider: undefined, items: typed(options, read) };
  }
  const provider = options.provider ?? (format === "skypilot" ? folderProvider(options.path ?? path ?? "") : undefined);
  if (format === "api") {
    const read = (type?: ProviderType) =>
      readApiResponse(all, { provider, type, currency, money: moneyOfFile(options) });
    return { format, provider, items: typed(options, read) };
  }
  if (format === "csv") {
    if (options.columns === undefined) {
      return await reject(
        "no_columns",
        "A CSV of your own needs the option columns, which says what its columns hold.",
      );
    }
    return { format, provider, items: readPriceList(all, { ...options, columns: options.columns, provider }) };
  }
  if (provider === undefined) {
    return await reject(
      "no_provider",
      "A SkyPilot CSV does not name its provider. Set the option provider. For a CSV of your own, set the option columns.",
    );
  }
  const read = (type?: ProviderType) => {
    const money = moneyOfFile({ ...options, currency: currency ?? currencyOf(tables ?? provider, "skypilot") });
    return readSkypilot(all, { provider, type, currency, money, tables, gpuAliases });
  };
  return { format, provider, items: typed(options, read) };
}

/** An offer with what its row states beyond it. */
export interface CatalogListing extends ListingFacts {
  /** The offer: prices in USD per hour, sizes in GB. */
  offer: Offer;
}

/** A whole catalog in memory. */
export interface Catalog {
  /** Its offers, one for each id. */
  offers: Offer[];
  /** The offers with what their rows state beyond them: instance type, seller, spot price ... */
  listings: CatalogListing[];
  /** Its providers with their types and images, as far as it names them. */
  providers: SourceProvider[];
  /** The rows that are not offers, and why. */
  rejections: RejectionItem[];
  /** What one should know about it besides, such as a currency that was assumed. */
  notes: string[];
}

/**
 * Reads a catalog in any format: native, SkyPilot, a response of a service, or a CSV of your own with `columns`.
 * @param content Text, bytes, a stream of them, a response of `fetch`, or a file that someone chose in a browser.
 * @throws SourceError if it cannot be read at all, or lacks a provider or a column.
 * @example const { offers } = await readCatalog(await fetch("https://example.com/aws/vms.csv"));
 * @example const { offers } = await readCatalog(createReadStream("aws/vms.csv"), { path: "aws/vms.csv" });
 */
export async function readCatalog(content: CatalogContent, options: CatalogOptions = {}): Promise<Catalog> {
  const { format, items } = await openCatalog(content, options);
  const held: SourceItem[] = [];
  for await (const item of items) {
    held.push(item);
  }
  // Readers that hold all of a file have settled its duplicates; native NDJSON is read line by line.
  const unique = dedupe(held);
  // Authors of their own lists know what they list.
  return catalogOf(format === "csv" ? unique : withdrawCrossProducts(unique));
}

/** The catalog of the items of a source, which have one offer for each id. */
export function catalogOf(items: readonly SourceItem[]): Catalog {
  const offers = items.filter((item) => isOffer(item));
  return {
    offers: offers.map(({ offer }) => offer),
    listings: offers.map(({ offer, listing }) => Object.assign({ offer }, listing)),
    providers: items.flatMap((item) => (item.kind === "provider" ? [item.provider] : [])),
    rejections: items.filter((item) => item.kind === "rejection"),
    notes: items.flatMap((item) => (item.kind === "note" ? [item.note] : [])),
  };
}

/** The items of a reader that gets the type of the provider when the first item is read. */
async function* typed(
  { type }: CatalogOptions,
  read: (type: ProviderType | undefined) => AsyncIterable<SourceItem>,
): AsyncGenerator<SourceItem> {
  yield* read(type?.());
}

/** The format of a catalog that starts with the text. */
export function detectFormat(head: string): CatalogFormat {
  if (!/^\s*[{[]/.test(head)) {
    return "skypilot";
  }
  return /"format"\s*:/.test(head) ? "native" : "api";
}

/**
 * Whether the first line of a text may be the header of a SkyPilot CSV. The reader says what is wrong with an empty file, and
 * with bytes that are no text.
 */
function mayBeSkypilot(head: string): boolean {
  return head.trim() === "" || /^[^\r\n]*(?:\bInstanceType\b|\uFFFD)/.test(head);
}

/** SkyPilot stores the rows of a provider in a folder with its name: `catalogs/v8/aws/vms.csv`. */
function folderProvider(path: string): string | undefined {
  const [, folder] = /(?:^|[/\\])([^/\\]+)[/\\]vms\b[^/\\]*$/.exec(path) ?? [];
  return providerNameSchema.safeParse(folder).data;
}

/** How much of a catalog is needed to detect its format. */
const HEAD_LENGTH = 4096;

async function peekText(chunks: AsyncIterable<Uint8Array | string>) {
  const decoder = new TextDecoder();
  let head = "";
  const all = await peek(chunks[Symbol.asyncIterator](), (chunk) => {
    head += typeof chunk === "string" ? chunk : decoder.decode(chunk, { stream: true });
    return head.length >= HEAD_LENGTH;
  });
  return { head: head.replace(/^\uFEFF/, ""), all };
}
