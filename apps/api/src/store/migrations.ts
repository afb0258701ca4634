import { sql, type ColumnDefinitionBuilder, type Kysely } from "kysely";
import { Migrator, type Migration } from "kysely/migration";
import type { Database, Kind } from "./database.js";

// The history of the tables. A migration that has shipped is never edited; a change is a new one.

const migrationsFor = (kind: Kind): Record<string, Migration> => ({
  "001-catalog": {
    async up(db: Kysely<never>) {
      await db.schema
        .createTable("catalog_revision")
        .addColumn("revision", kind.serial, (column) => numbered(column, kind))
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
  "002-accounts": {
    async up(db: Kysely<never>) {
      await db.schema
        .createTable("account")
        .addColumn("id", "text", (column) => column.primaryKey().notNull())
        .addColumn("email", "text", (column) => column.notNull())
        .addColumn("display_name", "text", (column) => column.notNull())
        .addColumn("created_at", "text", (column) => column.notNull())
        .addColumn("disabled_at", "text")
        .execute();
      await db.schema
        .createIndex("account_email")
        .unique()
        .on("account")
        .expression(sql`lower(email)`)
        .execute();
      await db.schema
        .createTable("api_key")
        .addColumn("id", "text", (column) => column.primaryKey().notNull())
        .addColumn("account_id", "text", (column) => column.notNull().references("account.id"))
        .addColumn("hash", "text", (column) => column.notNull().unique())
        .addColumn("label", "text", (column) => column.notNull())
        .addColumn("created_at", "text", (column) => column.notNull())
        .addColumn("expires_at", "text")
        .addColumn("revoked_at", "text")
        .addColumn("last_used_at", "text")
        .execute();
      await db.schema.createIndex("api_key_account").on("api_key").column("account_id").execute();
      await db.schema
        .createTable("ledger_entry")
        .addColumn("id", kind.serial, (column) => numbered(column, kind))
        .addColumn("account_id", "text", (column) => column.notNull().references("account.id"))
        .addColumn("reference", "text", (column) => column.notNull())
        .addColumn("amount_e4", "bigint", (column) => column.notNull())
        .addColumn("note", "text", (column) => column.notNull())
        .addColumn("created_at", "text", (column) => column.notNull())
        .addUniqueConstraint("ledger_entry_reference", ["account_id", "reference"])
        .execute();
      for (const statement of kind.appendOnly("ledger_entry")) {
        await sql.raw(statement).execute(db);
      }
    },
  },
});

/** A primary key that numbers the rows. PostgreSQL does so by the type of the column. */
function numbered(column: ColumnDefinitionBuilder, kind: Kind): ColumnDefinitionBuilder {
  return kind.serial === "integer" ? column.primaryKey().autoIncrement() : column.primaryKey();
}

/**
 * Brings the tables up to date.
 * @throws Error when a migration fails, or when the database is of a newer gpu-offers than this one.
 */
export async function migrate(database: Database, kind: Kind): Promise<void> {
  const migrator = new Migrator({ db: database, provider: { getMigrations: async () => migrationsFor(kind) } });
  const { error } = await migrator.migrateToLatest();
  if (error !== undefined) {
    throw error instanceof Error ? error : new Error("The migrations failed.", { cause: error });
  }
}
