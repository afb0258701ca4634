import type { OsImage, RestrictedImage } from "@gpu-offers/domain";
import { sql, type RawBuilder, type Selectable } from "kysely";
import { countRows, readSnapshot, type Database } from "./database.js";
import { IS_PRICED, type StoredOffer } from "./offer-row.js";
import type { Tables } from "./tables.js";

// Reads the current catalog. Changes are in catalog-import.ts.

/** The current revision. `mark` distinguishes equal revision numbers of different databases. */
export type Revision = Pick<Selectable<Tables["catalog_revision"]>, "revision" | "mark" | "created_at">;

export interface StoredProvider {
  name: string;
  type: string;
  /** Date of its data; null if the last import had none. */
  asOf: string | null;
  isSample: boolean;
  images: RestrictedImage[];
}

/** The catalog without its offers, which are streamed. */
export interface CatalogHead {
  revision: Revision;
  providers: StoredProvider[];
  offerCount: number;
}

/** The current revision, or the first one; undefined if nothing was ever imported. */
export async function findRevision(
  database: Database,
  which: "current" | "first" = "current",
): Promise<Revision | undefined> {
  const revisions = database.selectFrom("catalog_revision").select(["revision", "mark", "created_at"]);
  return revisions
    .orderBy("revision", which === "first" ? "asc" : "desc")
    .limit(1)
    .executeTakeFirst();
}

/**
 * Reads the complete catalog of one revision: `read` gets everything but the offers, the offers as a stream, sorted by id
 * if `isSorted` (which takes longer), and the database as of then. Undefined if there is no catalog yet.
 */
export async function readCatalog<Result>(
  database: Database,
  read: (head: CatalogHead, offers: AsyncIterable<StoredOffer>, snapshot: Database) => Promise<Result>,
  isSorted = false,
): Promise<Result | undefined> {
  return readSnapshot(database, async (transaction) => {
    const revision = await findRevision(transaction);
    if (revision === undefined) {
      return undefined;
    }
    const offerCount = await countRows(transaction.selectFrom("offer"));
    const head = { revision, providers: await listProviders(transaction), offerCount };
    const offers = transaction.selectFrom("offer").selectAll();
    return read(head, (isSorted ? offers.orderBy("id") : offers).stream(), transaction);
  });
}

/** All providers with their images, by name. */
export async function listProviders(database: Database): Promise<StoredProvider[]> {
  const providers = await database.selectFrom("provider").selectAll().orderBy("name").execute();
  const rows = await database.selectFrom("os_image").selectAll().orderBy("provider").orderBy("id").execute();
  const images = Map.groupBy(rows, (row) => row.provider);
  return providers.map(({ name, type, as_of, is_sample }) => ({
    name,
    type,
    asOf: as_of,
    isSample: is_sample === 1,
    images: (images.get(name) ?? []).map(({ body, instance_types: types }) =>
      Object.assign(JSON.parse(body) as OsImage, { instanceTypes: JSON.parse(types) as string[] }),
    ),
  }));
}

/** Counts of offers and images of each provider, by name; of priced ones, the price with the smallest disk is known. */
export async function countByProvider(database: Database) {
  return database
    .selectFrom("provider")
    .select([
      "name",
      "type",
      countOwn("offer").as("offers"),
      countOwn("offer", sql`body like '%"isAvailable":true%'`).as("available"),
      countOwn("offer", IS_PRICED).as("priced"),
      countOwn("os_image").as("images"),
      "as_of",
    ])
    .orderBy("name")
    .execute();
}

function countOwn(table: "offer" | "os_image", condition: RawBuilder<unknown> = sql`1 = 1`): RawBuilder<number> {
  return sql`(select count(*) from ${sql.table(table)} as own where own.provider = provider.name and ${condition})`;
}

/** The latest revisions with their changes, newest first. */
export async function listRevisions(database: Database, limit: number) {
  return database
    .selectFrom("catalog_revision")
    .select(["revision", "mark", "created_at", "cause", "added", "changed", "removed", "refused as rejected"])
    .orderBy("revision", "desc")
    .limit(limit)
    .execute();
}
