import type { Balance, Offer, OsImage } from "@gpu-offers/domain";

/** Where the tools get offers from: a service's snapshot, a client of a service, or a catalog file. */
export interface AgentCatalog {
  /** All offers of one catalog revision. */
  listOffers: () => Promise<readonly Offer[]>;
  /** One offer as it is now; undefined when no offer has this id. */
  findOffer: (id: string) => Promise<Offer | undefined>;
  /** OS images of a provider, the default image first; undefined for an unknown provider. */
  findImages: (provider: string) => Promise<readonly OsImage[] | undefined>;
  /** When the prices of each provider were last known to hold, as ISO 8601; a provider without an entry is unknown. */
  pricesAsOf: () => Promise<ReadonlyMap<string, string>>;
  /** The caller's prepaid credit; left out where no API key is configured. */
  getBalance?: (() => Promise<Balance>) | undefined;
}

/**
 * A problem that the caller can act on, such as a service that is down. Its message is shown to the agent as it is;
 * any other error is shown without details.
 */
export class AgentCatalogError extends Error {
  override readonly name = "AgentCatalogError";
}
