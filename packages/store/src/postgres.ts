import { PostgresDialect, sql, type Dialect, type Transaction } from "kysely";
import type pg from "pg";
import type { Kind, OpenOptions } from "./database-kind.js";
import type { Tables } from "./tables.js";

const OLDEST_VERSION = 15;

const POOL_SIZE = 10;

const CONNECT_TIMEOUT_MS = 5_000;

/** Statement timeout in milliseconds, enough for the largest statements of an import. */
const STATEMENT_TIMEOUT_MS = 60_000;

/** Milliseconds without a statement after which PostgreSQL ends a transaction that holds a lock. */
const IDLE_LOCK_MS = 60_000;

/** Connection and statement timeout while serving requests. */
const SERVING_TIMEOUT_MS = 2_000;

/** Milliseconds without a byte of a response after which a connection counts as lost; above the statement timeouts. */
const SERVING_SILENCE_MS = 3_000;
const SILENCE_MS = STATEMENT_TIMEOUT_MS + 15_000;

/** PostgreSQL: a server, for several instances of the service. */
export const POSTGRES: Kind = {
  name: "postgres",
  openDialect,
  lockForWriting: async (transaction, table) => {
    await limitIdleLock(transaction);
    await sql`lock table ${sql.table(table)} in share row exclusive mode`.execute(transaction);
  },
  lockLedgerOf: async (transaction, accountId) => {
    await limitIdleLock(transaction);
    await sql`select from account where id = ${accountId} for no key update`.execute(transaction);
  },
  // Parsing JSON takes PostgreSQL five times as long as cutting texts, which are the same without escapes.
  textInJson: (column, field) => {
    const text = sql.ref(column);
    return sql`case when strpos(${text}, '\\') > 0 then ${text}::json ->> ${sql.lit(field)}
      else split_part(split_part(${text}, ${sql.lit(`"${field}":"`)}, 2), '"', 1) end`;
  },
  collectJson: sql`json_agg`,
  collectObject: sql`json_object_agg`,
  fieldOf: (column, field) => sql`cast(cast(${sql.ref(column)} as json) -> cast(${field} as text) as text)`,
  withExcluded: (table, column) =>
    sql`cast(cast(${sql.ref(`${table}.${column}`)} as jsonb) || cast(${sql.ref(`excluded.${column}`)} as jsonb) as text)`,
  // Pages with failed checksums, invalid indexes and constraints, and missing triggers.
  problems: sql`
    select checksum_failures || ' pages had a wrong checksum' as problem
      from pg_stat_database where datname = current_database() and checksum_failures > 0
    union all
    select 'the index ' || indexrelid::regclass || ' is not valid'
      from pg_index join pg_class on pg_class.oid = indexrelid
      where relnamespace = current_schema()::regnamespace and not (indisvalid and indisready)
    union all
    select 'the constraint ' || conname || ' of ' || conrelid::regclass || ' is not enforced'
      from pg_constraint
      where connamespace = current_schema()::regnamespace
        -- PostgreSQL 18 added conenforced; before, every constraint is.
        and not (convalidated and coalesce((to_jsonb(pg_constraint) ->> 'conenforced')::boolean, true))
    union all
    select 'ledger_entry has lost the trigger ' || name || ', so ' || consequence
      from (values
        ('ledger_entry_no_change', 'entries could be changed'),
        ('ledger_entry_follows', 'balances could be wrong')) as needed (name, consequence)
      where not exists (
        select from pg_trigger
        where tgrelid = 'ledger_entry'::regclass and tgname = name and tgenabled in ('O', 'A')
      )`,
  findUnsupported: async (database) => {
    const { rows } = await sql<{ number: number; version: string }>`
      select current_setting('server_version_num')::int as number, current_setting('server_version') as version`.execute(
      database,
    );
    const [server] = rows;
    return server !== undefined && server.number < OLDEST_VERSION * 10_000
      ? `PostgreSQL ${OLDEST_VERSION} or newer is required, and this is ${server.version}`
      : undefined;
  },
  bytes: sql`select pg_database_size(current_database()) as bytes`,
  lastNumber: (table, column) =>
    sql`select pg_sequence_last_value(pg_get_serial_sequence(${table}, ${column})::regclass) as last`,
  continueAfter: (table, column, last) => [sql`select setval(pg_get_serial_sequence(${table}, ${column}), ${last})`],
};

async function openDialect(
  url: string,
  { isServing = false, isMigrating = false, onConnectionLost, ...options }: OpenOptions,
): Promise<Dialect> {
  // Programs that use SQLite start without loading the driver.
  const { default: Cursor } = await import("pg-cursor");
  const { Pool, types } = (await import("pg")).default;
  // Row numbers and counts stay far below 2^53; amounts are read as text.
  types.setTypeParser(types.builtins.INT8, Number);
  const silenceMs = options.silenceMs ?? (isServing ? SERVING_SILENCE_MS : SILENCE_MS);
  const pool = new Pool({
    connectionString: url,
    // In pg_stat_activity, to which messages point; the URL may state another name.
    fallback_application_name: "gpu-offers",
    max: POOL_SIZE,
    connectionTimeoutMillis: isServing ? SERVING_TIMEOUT_MS : CONNECT_TIMEOUT_MS,
    statement_timeout: isServing ? SERVING_TIMEOUT_MS : STATEMENT_TIMEOUT_MS,
    idleTimeoutMillis: SERVING_TIMEOUT_MS,
    keepAlive: true,
  });
  // Without these listeners, a restart of PostgreSQL would end the process: the pool's is for idle connections, the
  // other one for connections of a transaction between two statements.
  pool.on("error", onConnectionLost ?? (() => {}));
  pool.on("connect", (client) => {
    client.on("error", () => {});
    // The statements of a migration may take as long as they need.
    if (!isMigrating) {
      limitSilence(client.connection, silenceMs);
    }
  });
  return new PostgresDialect({ pool, cursor: Cursor });
}

/** A frozen process would otherwise block all other writers for as long as its connection lives. */
async function limitIdleLock(transaction: Transaction<Tables>): Promise<void> {
  await sql`set local idle_in_transaction_session_timeout = ${sql.lit(`${IDLE_LOCK_MS}ms`)}`.execute(transaction);
}

/**
 * Ends a connection that is silent in the middle of a response. A network that drops all packets reports no error, so the
 * caller would wait forever, and the pool would reuse the connection. Silence between two statements is fine: an import may
 * wait for its input.
 */
function limitSilence(connection: pg.Connection, silenceMs: number): void {
  const { stream } = connection;
  let timer: NodeJS.Timeout | undefined;
  const stop = (): void => {
    clearTimeout(timer);
    timer = undefined;
  };
  const write = stream.write.bind(stream);
  // pg has no event for what it sends.
  stream.write = ((...args: Parameters<typeof write>) => {
    stop();
    timer = setTimeout(
      () => stream.destroy(new Error(`Connection terminated: no response for ${silenceMs / 1000} s`)),
      silenceMs,
    );
    return write(...args);
  }) as typeof stream.write;
  stream.on("data", () => timer?.refresh());
  stream.once("close", stop);
  // The ends of a response: of a statement, and of a part of the rows of a cursor.
  connection.on("readyForQuery", stop);
  connection.on("portalSuspended", stop);
}
