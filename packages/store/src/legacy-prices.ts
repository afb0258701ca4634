import type { Offer, PriceCommit } from "@gpu-offers/domain";
import type { Database } from "./database.js";
import { findHistoryStart, listChanges, type OfferChange } from "./offer-history.js";

// Prices from before the log of prices: folded from the log of offers, over all listed offers, since it doesn't say what was
// available. They are dated by the import, since it doesn't say how old they were.

type Priced = Pick<Offer, "pricePerGpu" | "region">;

/** The prices of some GPUs by the log of offers, until the log of prices begins. */
export async function listLegacyCommits(database: Database, slugs: readonly string[]): Promise<PriceCommit[]> {
  const start = await database.selectFrom("price_log_start").select(["revision", "at"]).executeTakeFirst();
  if (start === undefined) {
    return [];
  }
  const fold = new LegacyFold();
  await foldBase(database, slugs, start.at, fold);
  const changes = await listChanges(database, { gpus: slugs, untilRevision: start.revision });
  for (const change of changes) {
    fold.apply(change);
  }
  return fold.commits();
}

/** Offers where the log of offers was truncated. */
async function foldBase(
  database: Database,
  slugs: readonly string[],
  startAt: string,
  fold: LegacyFold,
): Promise<void> {
  const mark = await findHistoryStart(database);
  if (mark === undefined) {
    return;
  }
  // If it was truncated later than the log of prices began, the base has newer offers of providers with changes since.
  const isOlder = mark.at <= startAt;
  const recorded = new Set(
    isOlder
      ? []
      : (await database.selectFrom("price_commit").select("provider").distinct().execute()).map((row) => row.provider),
  );
  for (const slug of slugs) {
    // Texts can't contain this: their quotes are escaped.
    const rows = await database
      .selectFrom("offer_base")
      .where("body", "like", `%"slug":"${slug}"%`)
      .select(["id", "body"])
      .execute();
    for (const { id, body } of rows) {
      const offer = JSON.parse(body) as Offer;
      if (offer.gpu.slug === slug && !recorded.has(offer.provider.name)) {
        fold.add(id, offer.provider.name, offer, mark.at, 0);
      }
    }
  }
}

/** The offers of each provider, after each revision that changed them. */
class LegacyFold {
  readonly #offers = new Map<string, Map<string, Priced>>();
  readonly #commits: PriceCommit[] = [];
  readonly #open = new Map<string, { at: string; revision: number }>();

  apply({ kind, offer_id: id, provider, revision, at, after }: OfferChange): void {
    if (kind === "removed") {
      this.#at(provider, at, revision).delete(id);
      return;
    }
    const known = this.#at(provider, at, revision).get(id);
    const pricePerGpu = after?.pricePerGpu ?? known?.pricePerGpu;
    const region = after?.region ?? known?.region;
    if (pricePerGpu !== undefined && region !== undefined) {
      this.add(id, provider, { pricePerGpu, region }, at, revision);
    }
  }

  add(id: string, provider: string, { pricePerGpu, region }: Priced, at: string, revision: number): void {
    this.#at(provider, at, revision).set(id, { pricePerGpu, region });
  }

  commits(): PriceCommit[] {
    for (const provider of this.#open.keys()) {
      this.#close(provider);
    }
    return this.#commits;
  }

  /** The provider's offers, after its earlier revision was noted. */
  #at(provider: string, at: string, revision: number): Map<string, Priced> {
    if (this.#open.get(provider)?.revision !== revision) {
      this.#close(provider);
      this.#open.set(provider, { at, revision });
    }
    const offers = this.#offers.get(provider) ?? new Map<string, Priced>();
    this.#offers.set(provider, offers);
    return offers;
  }

  #close(provider: string): void {
    const open = this.#open.get(provider);
    const offers = [...(this.#offers.get(provider)?.values() ?? [])];
    if (open !== undefined) {
      this.#commits.push({
        provider,
        datedMs: Date.parse(open.at),
        order: open.revision,
        prices: offers.map(({ pricePerGpu }) => pricePerGpu),
        regions: [...new Set(offers.map(({ region }) => region))],
        isAvailabilityKnown: false,
      });
    }
  }
}
