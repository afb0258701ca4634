import type { Kysely } from "kysely";
import { Migrator, type Migration } from "kysely/migration";
import type { Database } from "./database.js";

// The history of the tables. A migration that has shipped is never edited; a change is a new one.

const migrations: Record<string, Migration> = {
  "001-catalog": {
    async up(db: Kysely<never>) {
      await db.schema
        .createTable("catalog_revision")
        .addColumn("revision", "integer", (column) => column.primaryKey().autoIncrement())
        .addColumn("mark", "text", (column) => column.notNull())
        .addColumn("created_at", "text", (column) => column.notNull())
        .addColumn("cause", "text", (column) => column.notNull())
        .addColumn("added", "integer", (column) => column.notNull())
        .addColumn("changed", "integer", (column) => column.notNull())
        .addColumn("removed", "integer", (column) => column.notNull())
        .addColumn("refused", "integer", (column) => column.notNull())
        .execute();
      await db.schema
        .createTable("provider")
        .addColumn("name", "text", (column) => column.primaryKey().notNull())
        .addColumn("type", "text", (column) => column.notNull())
        .addColumn("as_of", "text")
        .execute();
      await db.schema
        .createTable("os_image")
        .addColumn("provider", "text", (column) => column.notNull().references("provider.name").onDelete("cascade"))
        .addColumn("id", "text", (column) => column.notNull())
        .addColumn("body", "text", (column) => column.notNull())
        .addColumn("instance_types", "text", (column) => column.notNull())
        .addPrimaryKeyConstraint("os_image_key", ["provider", "id"])
        .execute();
      await db.schema
        .createTable("offer")
        .addColumn("id", "text", (column) => column.primaryKey().notNull())
        .addColumn("provider", "text", (column) => column.notNull().references("provider.name").onDelete("cascade"))
        .addColumn("gpu_slug", "text", (column) => column.notNull())
        .addColumn("continent", "text", (column) => column.notNull())
        .addColumn("gpu_count", "integer", (column) => column.notNull())
        .addColumn("price_hourly", "double precision", (column) => column.notNull())
        .addColumn("price_per_gpu", "double precision", (column) => column.notNull())
        .addColumn("body", "text", (column) => column.notNull())
        .execute();
      await db.schema.createIndex("offer_provider").on("offer").column("provider").execute();
    },
  },
};

/**
 * Brings the tables up to date.
 * @throws Error when a migration fails, or when the database is of a newer gpu-offers than this one.
 */
export async function migrate(database: Database): Promise<void> {
  const migrator = new Migrator({ db: database, provider: { getMigrations: async () => migrations } });
  const { error } = await migrator.migrateToLatest();
  if (error !== undefined) {
    throw error instanceof Error ? error : new Error("The migrations failed.", { cause: error });
  }
}
