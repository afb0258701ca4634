import type { Balance, Offer, OsImage } from "@gpu-offers/domain";

/** Source of the tools' offers: a service's snapshot, a client of a service, or a catalog file. */
export interface AgentCatalog {
  /** All offers of one catalog revision. */
  listOffers: () => Promise<readonly Offer[]>;
  /** The current offer; undefined if no offer has this id. */
  findOffer: (id: string) => Promise<Offer | undefined>;
  /** OS images of a provider, the default image first; undefined for an unknown provider. */
  findImages: (provider: string) => Promise<readonly OsImage[] | undefined>;
  /** Date of each provider's prices as ISO 8601; providers without an entry are unknown. */
  pricesAsOf: () => Promise<ReadonlyMap<string, string>>;
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
