import { once } from "node:events";
import { createServer } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Logger } from "pino";
import { loadInThread } from "./catalog/load-thread.js";
import { prepareListings } from "./catalog/snapshot.js";
import type { Config } from "./config.js";
import { Foundation } from "./foundation.js";
import { createLog } from "./log.js";
import { findOpenFilesLimit } from "./open-files.js";
import { MAX_CONNECTIONS } from "./wire/connections.js";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { PACKAGE_FOLDER } from "./package-folder.js";

/** Open files besides connections: database, worker threads, log, Node itself. */
const OTHER_FILES = 100;

const SIGNALS = ["SIGTERM", "SIGINT", "SIGHUP"] as const;

/** Starts the service and runs it until SIGTERM, SIGINT or SIGHUP. Rejects if it cannot start. */
export async function serve(config: Config, version: string): Promise<void> {
  const log = createLog(config, process.stdout);
  // Before anything is created or migrated: starting a second instance by mistake must change nothing.
  await checkPort(config);
  let isServing = false;
  const foundation = await Foundation.create(config, version, log, (stale) =>
    loadInThread({ databaseUrl: config.DATABASE_URL, stale }, isServing ? undefined : prepareListings),
  );
  const { catalog } = foundation;
  warnAboutOpenFileLimit(log.logger);
  const loaded = catalog.start();
  // Nest is imported here, not above, so that it loads while another thread, which has its task by then, reads the catalog.
  await Promise.race([loaded, nextTurn()]);
  const [app] = await Promise.all([import("./app.js").then(({ createApp }) => createApp(foundation)), loaded]);
  // Nest's own listen would log an error that service-process.ts reports better.
  const url = await app.getHttpAdapter().getInstance().listen({ port: config.PORT, host: config.HOST });
  isServing = true;
  const { revision, offerCount = 0 } = catalog.snapshot ?? {};
  log.logger.info({ url, revision: revision?.revision, offers: offerCount }, "listening");
  for (const signal of SIGNALS) {
    process.once(signal, () => log.logger.info({ signal }, "stopping"));
  }
  app.enableShutdownHooks([...SIGNALS], { useProcessExit: true });
  // On standard error, because standard output is the log. Last, because scripts may stop the service once it is printed.
  process.stderr.write(
    config.LIVE_SYNC === "only"
      ? syncGreeting(url)
      : greeting(url, offerCount, config.WEB === "on", process.env["PATH"] ?? ""),
  );
}

/** The folder of the admin command, which scripts/package.mjs creates next to the build. */
const COMMANDS = fileURLToPath(new URL("bin", PACKAGE_FOLDER));

/** First steps with a service at a URL. @param hasPage whether it has the page. @param path value of `PATH`. */
function greeting(url: string, offers: number, hasPage: boolean, path: string): string {
  return `
  gpu-offers serves ${offers.toLocaleString("en-US")} offers

    ${hasPage ? "page   " : "address"}   ${url}
    docs      ${url}/docs
    OpenAPI   ${url}/openapi.json

  Try:
    curl '${url}/api/v1/offers?gpu=h100,h100-pcie,h100-sxm,h100-nvl&continent=Europe&size=1'
    curl '${url}/api/v1/providers'
    ${adminCommand(path)} catalog status

  Get live prices:
    ${adminCommand(path)} source enable --keyless

`;
}

/** The message of a process that only syncs. */
function syncGreeting(url: string): string {
  return `
  gpu-offers syncs live sources and serves no offers (LIVE_SYNC=only)

    address   ${url}
    health    ${url}/health/ready
    metrics   ${url}/metrics

`;
}

/** The operator's command: its name in the image, its path in a package, its wrapper in the repository. */
function adminCommand(path: string): string {
  const file = join(COMMANDS, "gpu-offers-admin");
  if (!existsSync(file)) {
    return "bin/gpu-offers-admin";
  }
  return path.split(delimiter).includes(COMMANDS) ? "gpu-offers-admin" : file;
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
