import { once } from "node:events";
import { createServer } from "node:net";
import { KeyRing } from "./keys/key-ring.js";
import { Catalog } from "./catalog/catalog.js";
import { Loader } from "./catalog/loader.js";
import { seedStarterCatalog } from "./catalog/starter.js";
import { tracesUrl, type Config } from "./config.js";
import { greeting, syncGreeting } from "./greeting.js";
import { createLog } from "./log.js";
import type { LiveMetrics } from "./metrics/live-metrics.js";
import { LiveSync } from "./live/live-sync.js";
import { findOpenFilesLimit } from "./open-files.js";
import { Connections, MAX_CONNECTIONS } from "./wire/connections.js";
import type { Logger } from "pino";
import { openDatabase } from "@gpu-offers/store/database";
import type { Tracing } from "./tracing.js";

/** Open files besides connections: database, worker threads, log, Node itself. */
const OTHER_FILES = 100;

/** Milliseconds between checks whether live sources must be synced. */
const SYNC_LOOK_MS = 1_000;

/** Starts the service and runs it until SIGTERM, SIGINT or SIGHUP. Rejects if it cannot start. */
export async function serve(config: Config, version: string): Promise<void> {
  // The thread starts while this one prepares the database.
  let nextLoader: Loader | undefined = new Loader();
  const { logger, logRequest, output } = createLog(config, process.stdout);
  // Before anything is created or migrated: starting a second instance by mistake must change nothing.
  await checkPort(config);
  const seeded = await prepareDatabase(config.DATABASE_URL);
  if (seeded !== undefined) {
    logger.info({ offers: seeded }, "loaded the starter catalog into an empty database");
  }
  const database = await openDatabase(config.DATABASE_URL, {
    isServing: true,
    onConnectionLost: (error) => logger.warn({ err: error }, "lost an idle connection to the database"),
  });
  const catalog = new Catalog({
    database,
    load: (stale) => {
      const current = nextLoader ?? new Loader();
      nextLoader = undefined;
      return current.load({ databaseUrl: config.DATABASE_URL, stale });
    },
    formatVersion: version,
    logger,
  });
  let metrics: LiveMetrics | undefined;
  const sync = new LiveSync({
    isTerminal: process.stdout.isTTY,
    logger,
    onEvent: (event) => metrics?.see(event),
  });
  const keys = new KeyRing(database, logger);
  keys.start();
  const connections = new Connections();
  warnAboutOpenFileLimit(logger);
  const tracing = await startTracing(config, version, logger);
  // Nest is imported here, not above, so that it loads while another thread reads the catalog.
  const [app] = await Promise.all([
    import("./app.js").then(({ createApp }) =>
      createApp({
        config,
        database,
        catalog,
        keys,
        connections,
        logger,
        logRequest,
        logOutput: output,
        tracing,
        version,
        onLiveMetrics: (live) => {
          metrics = live;
        },
      }),
    ),
    catalog.start(),
  ]);
  // Nest's own listen would log an error that service-process.ts reports better.
  const url = await app.getHttpAdapter().getInstance().listen({ port: config.PORT, host: config.HOST });
  logger.info(
    { url, revision: catalog.snapshot?.revision.revision, offers: catalog.snapshot?.offerCount },
    "listening",
  );

  const syncTimer = setInterval(() => {
    const isNeeded = catalog.freshness.hasEnabledSource || config.SOURCES_FILE !== undefined;
    if (config.LIVE_SYNC === "only" || (config.LIVE_SYNC === "on" && isNeeded)) {
      sync.keepUp();
    }
  }, SYNC_LOOK_MS);
  stopOnSignal(logger, async () => {
    catalog.stop();
    clearInterval(syncTimer);
    const synced = sync.stop();
    await connections.close();
    await app.close();
    await Promise.all([keys.stop(), tracing?.stop(), synced]);
    await database.destroy();
    logger.info("stopped");
    await output.end();
  });
  // On standard error, because standard output is the log. Last, because scripts may stop the service once it is printed.
  process.stderr.write(
    config.LIVE_SYNC === "only"
      ? syncGreeting(url)
      : greeting(url, catalog.snapshot?.offerCount ?? 0, process.env["PATH"] ?? ""),
  );
}

/** Stops on the first signal, then exits. Later ones are ignored, because they would end the process with requests in flight. */
function stopOnSignal(logger: Logger, stop: () => Promise<void>): void {
  let isStopping = false;
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) {
    process.on(signal, () => {
      if (isStopping) {
        return;
      }
      isStopping = true;
      logger.info({ signal }, "stopping");
      stop().then(
        () => process.exit(0),
        (error: unknown) => {
          logger.fatal({ err: error }, "could not stop cleanly");
          process.exit(1);
        },
      );
    });
  }
}

/** Warns if the limit of open files is lower than the service's limit of connections. */
function warnAboutOpenFileLimit(logger: Logger): void {
  const limit = findOpenFilesLimit();
  if (limit !== undefined && limit < MAX_CONNECTIONS + OTHER_FILES) {
    logger.warn(
      { limit, connections: MAX_CONNECTIONS },
      "the limit of open files is lower than the maximum number of connections; raise it (ulimit -n, LimitNOFILE)",
    );
  }
}

/** Rejects like listening does if the address can't be listened on. */
async function checkPort({ PORT: port, HOST: host }: Config): Promise<void> {
  const server = createServer().listen({ port, host });
  await once(server, "listening");
  server.close();
  await once(server, "close");
}

/** Loads tracing if it is on. */
async function startTracing(config: Config, version: string, logger: Logger): Promise<Tracing | undefined> {
  const url = tracesUrl(config);
  if (url === undefined) {
    return undefined;
  }
  const { Tracing: Loaded } = await import("./tracing.js");
  return new Loaded(config, url, version, logger);
}

/** Migrates and seeds the database. Returns the number of seeded offers, if it was empty. */
async function prepareDatabase(url: string): Promise<number | undefined> {
  const database = await openDatabase(url);
  try {
    return await seedStarterCatalog(database);
  } finally {
    await database.destroy();
  }
}
