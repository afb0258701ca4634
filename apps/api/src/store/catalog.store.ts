import type { OsImage } from "@gpu-offers/domain";
import type { Selectable } from "kysely";
import { readOneState, type Database } from "./database.js";
import type { StoredOffer } from "./offer-row.js";
import type { Tables } from "./tables.js";

// What is in the catalog now. Changing it is catalog-import.ts.

/** Which catalog is current. `mark` tells revision 3 of one database from revision 3 of another. */
export interface Revision {
  revision: number;
  mark: string;
  /** ISO 8601 UTC. */
  createdAt: string;
}

/** An image with the instance types it is restricted to; none means that it fits all. */
export interface StoredImage {
  image: OsImage;
  instanceTypes: string[];
}

/** A provider as the catalog keeps it. */
export interface StoredProvider {
  name: string;
  type: string;
  /** Date of its figures; null when the last import did not say. */
  asOf: string | null;
  images: StoredImage[];
}

/** Everything but the offers, which are too many to hand over at once. */
export interface CatalogHead {
  revision: Revision;
  providers: StoredProvider[];
  offerCount: number;
}

/** The current revision; undefined while nothing has ever been imported. */
export async function findRevision(database: Database): Promise<Revision | undefined> {
  const row = await database
    .selectFrom("catalog_revision")
    .select(["revision", "mark", "created_at"])
    .orderBy("revision", "desc")
    .limit(1)
    .executeTakeFirst();
  return row && { revision: row.revision, mark: row.mark, createdAt: row.created_at };
}

/**
 * Reads a whole catalog of one revision: `read` gets everything but the offers, and the offers as a
 * stream, in the order of their ids if `isSorted` (which takes longer). Undefined when there is none yet.
 */
export async function readCatalog<Result>(
  database: Database,
  read: (head: CatalogHead, offers: AsyncIterable<StoredOffer>) => Promise<Result>,
  isSorted = false,
): Promise<Result | undefined> {
  return readOneState(database, async (transaction) => {
    const revision = await findRevision(transaction);
    if (revision === undefined) {
      return undefined;
    }
    const { offerCount } = await transaction
      .selectFrom("offer")
      .select((select) => select.fn.countAll().as("offerCount"))
      .executeTakeFirstOrThrow();
    const head = { revision, providers: await listProviders(transaction), offerCount: Number(offerCount) };
    const offers = transaction.selectFrom("offer").selectAll();
    return read(head, (isSorted ? offers.orderBy("id") : offers).stream());
  });
}

/** All providers with their images, by name. */
export async function listProviders(database: Database): Promise<StoredProvider[]> {
  const providers = await database.selectFrom("provider").selectAll().orderBy("name").execute();
  const rows = await database.selectFrom("os_image").selectAll().orderBy("provider").orderBy("id").execute();
  const images = Map.groupBy(rows, (row) => row.provider);
  return providers.map(({ name, type, as_of }) => ({
    name,
    type,
    asOf: as_of,
    images: (images.get(name) ?? []).map((row) => ({
      image: JSON.parse(row.body) as OsImage,
      instanceTypes: JSON.parse(row.instance_types) as string[],
    })),
  }));
}

/** What `catalog status` tells of a provider. */
export interface ProviderCount {
  name: string;
  type: string;
  offers: number;
  available: number;
  images: number;
  /** Date of the figures, as the last import said; null when it did not. */
  asOf: string | null;
}

/** Offers and images of each provider, by name. */
export async function countByProvider(database: Database): Promise<ProviderCount[]> {
  const rows = await database
    .selectFrom("provider")
    .select((select) => [
      "name",
      "type",
      "as_of",
      select
        .selectFrom("offer")
        .whereRef("offer.provider", "=", "provider.name")
        .select((inner) => inner.fn.countAll().as("count"))
        .as("offers"),
      select
        .selectFrom("offer")
        .whereRef("offer.provider", "=", "provider.name")
        .where("body", "like", '%"isAvailable":true%')
        .select((inner) => inner.fn.countAll().as("count"))
        .as("available"),
      select
        .selectFrom("os_image")
        .whereRef("os_image.provider", "=", "provider.name")
        .select((inner) => inner.fn.countAll().as("count"))
        .as("images"),
    ])
    .orderBy("name")
    .execute();
  return rows.map((row) => ({
    name: row.name,
    type: row.type,
    offers: Number(row.offers),
    available: Number(row.available),
    images: Number(row.images),
    asOf: row.as_of,
  }));
}

/** What made a revision, and what it changed. */
export interface RevisionCounts extends Omit<Selectable<Tables["catalog_revision"]>, "refused"> {
  rejected: number;
}

/** The newest revisions with what they changed, newest first. */
export async function listRevisions(database: Database, limit: number): Promise<RevisionCounts[]> {
  return database
    .selectFrom("catalog_revision")
    .select(["revision", "mark", "created_at", "cause", "added", "changed", "removed", "refused as rejected"])
    .orderBy("revision", "desc")
    .limit(limit)
    .execute();
}
