import { once } from "node:events";
import { createServer } from "node:net";
import { KeyRing } from "./keys/key-ring.js";
import { Catalog, loadInWorker } from "./catalog/catalog.js";
import { seedStarterCatalog } from "./catalog/starter.js";
import { tracesUrl, type Config } from "./config.js";
import { greeting } from "./greeting.js";
import { Connections } from "./wire/connections.js";
import { createLogger } from "./log.js";
import type { Logger } from "pino";
import { openDatabase } from "./store/database.js";
import type { Tracing } from "./tracing.js";

/** Starts the service and keeps it until SIGTERM or SIGINT. Rejects when it cannot start. */
export async function serve(config: Config, version: string): Promise<void> {
  const logger = createLogger(config, process.stdout.isTTY);
  // Before anything is made or migrated: a second start by mistake is to change nothing.
  await checkPort(config);
  const seeded = await prepareDatabase(config.DATABASE_URL);
  if (seeded !== undefined) {
    logger.info({ offers: seeded }, "empty database filled with the starter catalog");
  }
  const database = await openDatabase(config.DATABASE_URL, {
    isServing: true,
    onConnectionLost: (error) => logger.warn({ err: error }, "lost an idle connection to the database"),
  });
  const catalog = new Catalog({
    database,
    load: (stale) => loadInWorker(config.DATABASE_URL, stale),
    formatVersion: version,
    logger,
  });
  const keys = new KeyRing(database, logger);
  keys.start();
  const connections = new Connections();
  const tracing = await startTracing(config, version, logger);
  // The catalog is read in a thread of its own while this one loads Nest and puts the application
  // together; that is why Nest is not imported above.
  const [app] = await Promise.all([
    import("./app.js").then(({ createApp }) =>
      createApp({ config, database, catalog, keys, connections, logger, tracing, version }),
    ),
    catalog.start(),
  ]);
  // Nest's own listen logs a failure that main.ts words better.
  const url = await app.getHttpAdapter().getInstance().listen({ port: config.PORT, host: config.HOST });
  logger.info(
    { url, revision: catalog.snapshot?.revision.revision, offers: catalog.snapshot?.offerCount },
    "listening",
  );

  const stop = async (signal: string): Promise<void> => {
    logger.info({ signal }, "stopping");
    catalog.stop();
    await connections.close();
    await app.close();
    await Promise.all([keys.stop(), tracing?.stop()]);
    await database.destroy();
    logger.info("stopped");
  };
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    process.once(signal, () => void stop(signal).then(() => process.exit(0)));
  }
  // On standard error, since standard output is the log; and at last, since whoever has read it may stop us.
  process.stderr.write(greeting(url, catalog.snapshot?.offerCount ?? 0, process.env["PATH"] ?? ""));
}

/** Rejects as listening would when the address cannot be listened on. */
async function checkPort({ PORT: port, HOST: host }: Config): Promise<void> {
  const server = createServer().listen({ port, host });
  await once(server, "listening");
  server.close();
  await once(server, "close");
}

/** Loads what traces, when there is somebody to trace for. */
async function startTracing(config: Config, version: string, logger: Logger): Promise<Tracing | undefined> {
  const url = tracesUrl(config);
  if (url === undefined) {
    return undefined;
  }
  const { Tracing: Loaded } = await import("./tracing.js");
  return new Loaded(config, url, version, logger);
}

/** Migrates and seeds, with the patience that takes; the number of offers when it was empty. */
async function prepareDatabase(url: string): Promise<number | undefined> {
  const database = await openDatabase(url);
  try {
    return await seedStarterCatalog(database);
  } finally {
    await database.destroy();
  }
}
