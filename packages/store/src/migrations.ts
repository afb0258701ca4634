import { sql, type ColumnDefinitionBuilder, type Kysely } from "kysely";
import { Migrator, type Migration } from "kysely/migration";
import type { Database, Kind } from "./database-kind.js";

// The history of the tables. A migration that has shipped is never edited; a change is a new one.

const migrationsFor = (kind: Kind): Record<string, Migration> => ({
  "001-catalog": {
    async up(db: Kysely<never>) {
      await db.schema
        .createTable("catalog_revision")
        .addColumn("revision", kind.serial, (column) => numbered(column, kind))
        .addColumn("mark", kind.text, (column) => column.notNull())
        .addColumn("created_at", kind.text, (column) => column.notNull())
        .addColumn("cause", kind.text, (column) => column.notNull())
        .addColumn("added", "integer", (column) => column.notNull())
        .addColumn("changed", "integer", (column) => column.notNull())
        .addColumn("removed", "integer", (column) => column.notNull())
        .addColumn("refused", "integer", (column) => column.notNull())
        .execute();
      await db.schema
        .createTable("provider")
        .addColumn("name", kind.text, (column) => column.primaryKey().notNull())
        .addColumn("type", kind.text, (column) => column.notNull())
        .addColumn("as_of", kind.text)
        .execute();
      await db.schema
        .createTable("os_image")
        .addColumn("provider", kind.text, (column) => column.notNull().references("provider.name").onDelete("cascade"))
        .addColumn("id", kind.text, (column) => column.notNull())
        .addColumn("body", kind.text, (column) => column.notNull())
        .addColumn("instance_types", kind.text, (column) => column.notNull())
        .addPrimaryKeyConstraint("os_image_key", ["provider", "id"])
        .execute();
      await db.schema
        .createTable("offer")
        .addColumn("id", kind.text, (column) => column.primaryKey().notNull())
        .addColumn("provider", kind.text, (column) => column.notNull().references("provider.name").onDelete("cascade"))
        .addColumn("gpu_slug", kind.text, (column) => column.notNull())
        .addColumn("continent", kind.text, (column) => column.notNull())
        .addColumn("gpu_count", "integer", (column) => column.notNull())
        .addColumn("price_hourly", "double precision", (column) => column.notNull())
        .addColumn("price_per_gpu", "double precision", (column) => column.notNull())
        .addColumn("body", kind.text, (column) => column.notNull())
        .execute();
      await db.schema.createIndex("offer_provider").on("offer").column("provider").execute();
    },
  },
  "002-accounts": {
    async up(db: Kysely<never>) {
      await db.schema
        .createTable("account")
        .addColumn("id", kind.text, (column) => column.primaryKey().notNull())
        .addColumn("email", kind.text, (column) => column.notNull())
        .addColumn("email_key", kind.text, (column) => column.notNull().unique())
        .addColumn("display_name", kind.text, (column) => column.notNull())
        .addColumn("created_at", kind.text, (column) => column.notNull())
        .addColumn("disabled_at", kind.text)
        .execute();
      await db.schema
        .createTable("api_key")
        .addColumn("id", kind.text, (column) => column.primaryKey().notNull())
        .addColumn("account_id", kind.text, (column) => column.notNull().references("account.id"))
        .addColumn("hash", kind.text, (column) => column.notNull().unique())
        .addColumn("label", kind.text, (column) => column.notNull())
        .addColumn("created_at", kind.text, (column) => column.notNull())
        .addColumn("expires_at", kind.text)
        .addColumn("revoked_at", kind.text)
        .addColumn("last_used_at", kind.text)
        .execute();
      await db.schema.createIndex("api_key_account").on("api_key").column("account_id").execute();
      await db.schema
        .createTable("ledger_entry")
        .addColumn("id", kind.serial, (column) => numbered(column, kind))
        .addColumn("account_id", kind.text, (column) => column.notNull().references("account.id"))
        .addColumn("reference", kind.text, (column) => column.notNull())
        .addColumn("amount_e4", "bigint", (column) => column.notNull())
        .addColumn("note", kind.text, (column) => column.notNull())
        .addColumn("created_at", kind.text, (column) => column.notNull())
        .addUniqueConstraint("ledger_entry_reference", ["account_id", "reference"])
        .execute();
      for (const statement of kind.appendOnly("ledger_entry", [["id"], ["account_id", "reference"]])) {
        await sql.raw(statement).execute(db);
      }
    },
  },
  "003-running-balance": {
    async up(db: Kysely<never>) {
      await run(db, kind.forLongChange);
      await db.schema
        .alterTable("ledger_entry")
        .addColumn("balance_e4", "bigint", (column) => column.notNull().defaultTo(0))
        .execute();
      await run(db, kind.changeable("ledger_entry"));
      await sql`
        update ledger_entry set balance_e4 = chain.balance_e4
        from (
          select id, sum(amount_e4) over (partition by account_id order by id) as balance_e4 from ledger_entry
        ) as chain
        where chain.id = ledger_entry.id`.execute(db);
      await run(db, kind.appendOnly("ledger_entry", [["id"], ["account_id", "reference"]]));
      await db.schema.createIndex("ledger_entry_account").on("ledger_entry").columns(["account_id", "id"]).execute();
      await run(db, kind.runningBalance);
    },
  },
  "004-live-sources": {
    async up(db: Kysely<never>) {
      await db.schema.alterTable("provider").addColumn("source", kind.text).execute();
      await db.schema.alterTable("provider").addColumn("imported_at", kind.text).execute();
      await db.schema.alterTable("offer").addColumn("scope", kind.text).execute();
      await db.schema
        .createTable("live_source")
        .addColumn("name", kind.text, (column) => column.primaryKey().notNull())
        .addColumn("is_enabled", "integer", (column) => column.notNull())
        .addColumn("kind", kind.text, (column) => column.notNull())
        .addColumn("stock", kind.text, (column) => column.notNull())
        .addColumn("interval_seconds", "integer", (column) => column.notNull())
        .addColumn("stale_after_seconds", "integer", (column) => column.notNull())
        .addColumn("drop_after_seconds", "integer", (column) => column.notNull())
        .addColumn("next_run_at", kind.text)
        .addColumn("lease_owner", kind.text)
        .addColumn("lease_until", kind.text)
        .addColumn("last_run_at", kind.text)
        .addColumn("outcome", kind.text)
        .addColumn("failures", "integer", (column) => column.notNull())
        .addColumn("is_stopped", "integer", (column) => column.notNull())
        .addColumn("secrets_mark", kind.text)
        .addColumn("checked_at", kind.text)
        .addColumn("changed_at", kind.text)
        .addColumn("error_code", kind.text)
        .addColumn("error_message", kind.text)
        .addColumn("error_at", kind.text)
        .addColumn("notes", kind.text, (column) => column.notNull())
        .addColumn("scopes", kind.text, (column) => column.notNull())
        .execute();
      await db.schema
        .createTable("live_quarantine")
        .addColumn("source", kind.text, (column) => column.primaryKey().notNull())
        .addColumn("first_at", kind.text, (column) => column.notNull())
        .addColumn("last_at", kind.text, (column) => column.notNull())
        .addColumn("runs", "integer", (column) => column.notNull())
        .addColumn("offers", "integer", (column) => column.notNull())
        .addColumn("report", kind.text, (column) => column.notNull())
        .addColumn("content", kind.bytes, (column) => column.notNull())
        .execute();
      await db.schema
        .createTable("live_response")
        .addColumn("source", kind.text, (column) => column.notNull())
        .addColumn("request", kind.text, (column) => column.notNull())
        .addColumn("etag", kind.text)
        .addColumn("last_modified", kind.text)
        .addColumn("head", kind.text, (column) => column.notNull())
        .addColumn("body", kind.bytes, (column) => column.notNull())
        .addPrimaryKeyConstraint("live_response_key", ["source", "request"])
        .execute();
    },
  },
  "005-history": {
    async up(db: Kysely<never>) {
      await run(db, kind.forLongChange);
      await db.schema
        .createTable("offer_change")
        .addColumn("id", kind.serial, (column) => numbered(column, kind))
        .addColumn("revision", "integer", (column) => column.notNull())
        .addColumn("at", kind.text, (column) => column.notNull())
        .addColumn("offer_id", kind.text, (column) => column.notNull())
        .addColumn("provider", kind.text, (column) => column.notNull())
        .addColumn("gpu_slug", kind.text, (column) => column.notNull())
        .addColumn("kind", kind.text, (column) => column.notNull())
        .addColumn("before", kind.text)
        .addColumn("after", kind.text)
        .execute();
      await db.schema.createIndex("offer_change_offer").on("offer_change").columns(["offer_id", "id"]).execute();
      await db.schema.createIndex("offer_change_provider").on("offer_change").columns(["provider", "id"]).execute();
      await db.schema
        .createTable("offer_base")
        .addColumn("id", kind.text, (column) => column.primaryKey().notNull())
        .addColumn("body", kind.text, (column) => column.notNull())
        .execute();
      await db.schema
        .createTable("offer_base_mark")
        .addColumn("id", "integer", (column) => column.primaryKey().notNull())
        .addColumn("through_id", "bigint", (column) => column.notNull())
        .addColumn("at", kind.text, (column) => column.notNull())
        .execute();
      // The log begins with the current offers, added by the current revision.
      await sql`
        insert into offer_change (revision, at, offer_id, provider, gpu_slug, kind, before, after)
        select newest.revision, newest.created_at, offer.id, offer.provider, offer.gpu_slug, 'added', null, offer.body
        from offer, (select revision, created_at from catalog_revision order by revision desc limit 1) as newest
        order by offer.id`.execute(db);
      await run(db, kind.changeLog);
    },
  },
  "006-changes-of-revision": {
    async up(db: Kysely<never>) {
      await run(db, kind.forLongChange);
      await db.schema.createIndex("offer_change_revision").on("offer_change").columns(["revision"]).execute();
    },
  },
  "010-prices": {
    async up(db: Kysely<never>) {
      await db.schema
        .createTable("price_commit")
        .addColumn("id", kind.serial, (column) => numbered(column, kind))
        .addColumn("revision", "integer", (column) => column.notNull())
        .addColumn("provider", kind.text, (column) => column.notNull())
        .addColumn("dated_at", kind.text, (column) => column.notNull())
        .addColumn("hour", kind.text, (column) => column.notNull())
        .addColumn("committed_at", kind.text, (column) => column.notNull())
        .execute();
      await db.schema.createIndex("price_commit_provider").on("price_commit").columns(["provider", "hour"]).execute();
      await db.schema
        .createTable("price_of_gpu")
        .addColumn("commit_id", "integer", (column) =>
          column.notNull().references("price_commit.id").onDelete("cascade"),
        )
        .addColumn("gpu_slug", kind.text, (column) => column.notNull())
        .addColumn("prices", kind.text, (column) => column.notNull())
        .addColumn("regions", kind.text, (column) => column.notNull())
        .addPrimaryKeyConstraint("price_of_gpu_key", ["commit_id", "gpu_slug"])
        .execute();
      await db.schema.createIndex("price_of_gpu_slug").on("price_of_gpu").column("gpu_slug").execute();
      await db.schema
        .createTable("price_log_start")
        .addColumn("id", "integer", (column) => column.primaryKey().notNull())
        .addColumn("revision", "integer", (column) => column.notNull())
        .addColumn("at", kind.text, (column) => column.notNull())
        .execute();
      await sql`
        insert into price_log_start (id, revision, at)
        select 1, revision, created_at from catalog_revision order by revision desc limit 1`.execute(db);
    },
  },
});

/** Names of all migrations of this version, in order. */
export function migrationNames(kind: Kind): string[] {
  return Object.keys(migrationsFor(kind)).sort();
}

async function run(db: Kysely<never>, statements: readonly string[]): Promise<void> {
  for (const statement of statements) {
    await sql.raw(statement).execute(db);
  }
}

/** An auto-increment primary key. In PostgreSQL the column type does this. */
function numbered(column: ColumnDefinitionBuilder, kind: Kind): ColumnDefinitionBuilder {
  return kind.serial === "integer" ? column.primaryKey().autoIncrement() : column.primaryKey();
}

/**
 * Migrates the tables to this version. Concurrent migrations wait for each other.
 * @throws Error if a migration fails, or if the database is of a newer version of gpu-offers.
 */
export async function migrate(database: Database, kind: Kind): Promise<void> {
  const known = migrationsFor(kind);
  const migrator = new Migrator({ db: database, provider: { getMigrations: async () => known } });
  const { error } = await migrator.migrateToLatest();
  if (error === undefined) {
    return;
  }
  const newer = await findNewer(database, Object.keys(known));
  if (newer !== undefined) {
    throw new Error(newerVersion(newer));
  }
  throw error instanceof Error ? error : new Error("The migrations failed.", { cause: error });
}

/** The reason why a database with a migration of a newer version can't be opened. */
export function newerVersion(migration: string): string {
  return `it was created by a newer version of gpu-offers (migration ${migration}). Use that version or a later one.`;
}

/** An applied migration that this version doesn't have. */
async function findNewer(database: Database, known: readonly string[]): Promise<string | undefined> {
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`
    .execute(database)
    .catch(() => ({ rows: [] }));
  return rows.find(({ name }) => !known.includes(name))?.name;
}
