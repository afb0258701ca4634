import type {
  Balance,
  GpuEntry,
  GpuPrices,
  ListedOffer,
  ListingCatalog,
  ListingQuery,
  OsImage,
  SeriesStep,
} from "@gpu-offers/domain";
import { listGpusOf } from "@gpu-offers/domain/gpus";
import type { LaunchedListing } from "@gpu-offers/domain/launching";
import { ToolArgumentError } from "./argument-error.js";

/** Source of the tools' offers: a service's snapshot, a client of a service, or a catalog file. */
export interface AgentCatalog {
  /** The current offer with an id or its start, and what its source states beyond it; undefined if there is none. */
  findOffer: (id: string) => Promise<ListedOffer | undefined>;
  /** The offers with what their sources state beyond them. */
  listings: () => Promise<ListingCatalog>;
  /** The first listings of a query. */
  find: (query: ListingQuery) => Promise<readonly LaunchedListing[]>;
  /**
   * OS images of a provider, the default image first; undefined for an unknown provider. With an instance type, only those
   * that it can boot.
   */
  findImages: (provider: string, instanceType?: string | null) => Promise<readonly OsImage[] | undefined>;
  /** Date of each provider's prices as ISO 8601; providers without an entry are unknown. */
  pricesAsOf: () => Promise<ReadonlyMap<string, string>>;
  /** All GPUs with their market; undefined if they have to be calculated from the offers. */
  listGpus?: (() => Promise<readonly GpuEntry[] | undefined>) | undefined;
  /** The prices of a GPU or a family over time; undefined for an unknown one, and if the source has no history. */
  findGpuPrices?:
    | ((name: string, range: { since: string; step: SeriesStep }) => Promise<GpuPrices | undefined>)
    | undefined;
  /** The caller's prepaid credit; undefined without an API key. */
  getBalance?: (() => Promise<Balance>) | undefined;
}

/**
 * A problem that the caller can act on, such as a service that is down. Its message is shown to the agent; other errors
 * are shown without details.
 */
export class AgentCatalogError extends Error {
  override readonly name = "AgentCatalogError";
}

/** All GPUs of a catalog, known or listed. */
export async function listCatalogGpus(catalog: AgentCatalog): Promise<readonly GpuEntry[]> {
  const listed = await catalog.listGpus?.();
  if (listed !== undefined) {
    return listed;
  }
  const [{ index }, ages] = await Promise.all([catalog.listings(), catalog.pricesAsOf()]);
  const listings = Array.from({ length: index.size }, (_, position) => index.listingAt(position));
  return listGpusOf(listings, ages);
}

/** The offers with the given ids, in order. @throws ToolArgumentError that lists all unknown ids. */
export async function getOffers(catalog: AgentCatalog, ids: readonly string[]): Promise<ListedOffer[]> {
  const found = await Promise.all(ids.map((id) => catalog.findOffer(id)));
  const unknown = ids.filter((_, index) => found[index] === undefined);
  if (unknown.length > 0) {
    throw new ToolArgumentError(
      unknown.map((id) => `${JSON.stringify(id)} is not the id of a current offer. Call find_gpu_offers again.`),
    );
  }
  return found.filter((offer) => offer !== undefined);
}

/** The caller's balance; undefined without a key, or why it can't be read, which must not hide prices. */
export async function readCredit(
  catalog: AgentCatalog,
): Promise<{ balance?: Balance | undefined; balanceProblem?: string }> {
  try {
    return { balance: await catalog.getBalance?.() };
  } catch (error) {
    if (error instanceof AgentCatalogError) {
      return { balanceProblem: error.message };
    }
    throw error;
  }
}
