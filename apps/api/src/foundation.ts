import type { OnApplicationShutdown } from "@nestjs/common";
import { openDatabase, type Database } from "@gpu-offers/store/database";
import { Catalog, type CatalogOptions } from "./catalog/catalog.js";
import { tracesUrl, type Config } from "./config.js";
import type { Logger } from "pino";
import type { Log } from "./log.js";
import type { Tracing } from "./tracing.js";
import { createReadStream } from "node:fs";
import { readNative } from "@gpu-offers/sources";
import { importCatalog, isPristine } from "@gpu-offers/store/catalog-import";
import { STARTER_CATALOG } from "./package-folder.js";

/** What the service stands on. It is made before Nest, so that Nest loads while another thread reads the catalog. */
export class Foundation implements OnApplicationShutdown {
  private constructor(
    readonly config: Config,
    readonly version: string,
    readonly log: Log,
    readonly database: Database,
    readonly catalog: Catalog,
    /** Undefined if tracing is off. */
    readonly tracing: Tracing | undefined,
  ) {}

  /** Migrates and seeds the database, and opens it. `load` reads the catalog, which is not loaded yet. */
  static async create(config: Config, version: string, log: Log, load: CatalogOptions["load"]): Promise<Foundation> {
    const { logger } = log;
    await prepareDatabase(config.DATABASE_URL, logger);
    const database = await openDatabase(config.DATABASE_URL, {
      isServing: true,
      onConnectionLost: (error) => logger.warn({ err: error }, "lost an idle connection to the database"),
    });
    const catalog = new Catalog({ database, load, formatVersion: version, logger });
    return new Foundation(config, version, log, database, catalog, await startTracing(config, version, log));
  }

  /** Ends last, when nothing uses it any more. */
  async onApplicationShutdown(): Promise<void> {
    await this.tracing?.stop();
    await this.database.destroy();
    this.log.logger.info("stopped");
    await this.log.output.end();
  }
}

async function startTracing(config: Config, version: string, { logger }: Log): Promise<Tracing | undefined> {
  const url = tracesUrl(config);
  if (url === undefined) {
    return undefined;
  }
  const { Tracing: Loaded } = await import("./tracing.js");
  return new Loaded(config, url, version, logger);
}

/** Migrates the database, and seeds it if it never had a catalog: one that was emptied stays empty. */
async function prepareDatabase(url: string, logger: Logger): Promise<void> {
  const database = await openDatabase(url);
  try {
    if (await isPristine(database)) {
      await seedStarterCatalog(database, logger);
    }
  } finally {
    await database.destroy();
  }
}

async function seedStarterCatalog(database: Database, logger: Logger): Promise<void> {
  let asOf: string | undefined;
  const report = await importCatalog(database, {
    items: readNative(createReadStream(STARTER_CATALOG), {
      onHeader: (header) => (asOf = header.asOf),
    }),
    asOf: () => asOf,
    cause: "starter catalog",
    limit: { count: 0 },
    isFirst: true,
  });
  if (report.outcome !== "rejected") {
    logger.info({ offers: report.rows.offers }, "loaded the starter catalog into an empty database");
  } else if (await isPristine(database)) {
    // Otherwise a concurrent import or another instance was faster.
    throw new Error(`The starter catalog is broken: ${report.problem}`);
  }
}
