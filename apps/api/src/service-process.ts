import { reasonOf } from "@gpu-offers/domain";
import { serve } from "./serve.js";
import { ConfigError } from "@gpu-offers/fetch/config-error";
import { listSettings, readConfig, type Config } from "./config.js";
import { DatabaseError, isUnreachable, NoDatabaseError } from "@gpu-offers/store/database-error";
import { VERSION } from "./package-folder.js";
import { accessSync, constants, existsSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { liveSources } from "@gpu-offers/sources";
import { readGpuAliases } from "@gpu-offers/fetch/gpu-alias-file";
import { loadSourceModules } from "@gpu-offers/fetch/source-modules";
import { LiveSettingsFile } from "@gpu-offers/fetch/live-settings";
import { openDatabase } from "@gpu-offers/store/database";
import { isSqlite, nameOf, pathOf } from "@gpu-offers/store/database-url";
import { compareMigrations, newerVersion } from "@gpu-offers/store/migrations";

// The service as a process: reads the settings, and serves until a signal stops it.

// By default Node opens its inspector on this signal, which would expose the process.
process.on("SIGUSR1", () => {});
// A closed pipe or a full disk must not end the service.
for (const stream of [process.stdout, process.stderr]) {
  stream.on("error", () => {});
}

function fail(code: number, message: string): never {
  process.stderr.write(`${message.replaceAll(/^/gm, "gpu-offers-server: ")}\n`);
  process.exit(code);
}

function configOrExit(): Config {
  try {
    return readConfig(process.env);
  } catch (error) {
    if (error instanceof ConfigError) {
      fail(2, `${error.message}\nRun with --help to see all settings.`);
    }
    throw error;
  }
}

const HELP = `Usage: gpu-offers-server [options]

Serve GPU offers over HTTP until stopped by a signal.

Options:
  --check     check the settings and the database, then exit
  --version   print the version
  -h, --help  display this help

Settings are environment variables, such as PORT, HOST and DATABASE_URL:
${listSettings()
  .map((setting) => `  ${setting.name}${setting.default === "" ? "" : ` (default: ${setting.default})`}`)
  .join("\n")}

Exit codes:
  0  stopped by a signal
  1  failed to start
  2  invalid setting or argument
`;

const [option, ...more] = process.argv.slice(2);
const unknown = option === undefined || ["--help", "-h", "--version", "--check"].includes(option) ? more[0] : option;
if (unknown !== undefined) {
  fail(2, `unknown argument ${JSON.stringify(unknown)}. Run with --help to see the options.`);
}
if (option === "--help" || option === "-h") {
  process.stdout.write(HELP);
  process.exit(0);
}
if (option === "--version") {
  process.stdout.write(`${VERSION}\n`);
  process.exit(0);
}

const config = configOrExit();
try {
  // An invalid file that a setting names is an invalid setting.
  await loadSourceModules(config);
  LiveSettingsFile.read(liveSources, config);
  readGpuAliases(config);
  if (option === "--check") {
    process.stdout.write(
      `gpu-offers-server: the settings are valid, and ${await checkDatabase(config.DATABASE_URL)}.\n`,
    );
    process.exit(0);
  }
  await serve(config, VERSION);
} catch (error) {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (error instanceof ConfigError) {
    fail(2, error.message);
  } else if (error instanceof DatabaseError) {
    fail(1, error.message);
  } else if (code === "EADDRINUSE") {
    fail(1, `port ${config.PORT} on ${config.HOST} is in use. Set PORT to another port, or to 0 for any free port.`);
  } else if (
    error instanceof Error &&
    "syscall" in error &&
    /^(?:listen|bind|getaddrinfo)$/.test(String(error.syscall))
  ) {
    fail(1, `cannot listen on ${config.HOST}:${config.PORT} (${String(code)}). Check HOST and PORT.`);
  } else if (isUnreachable(error)) {
    fail(1, `cannot read the database: ${reasonOf(error)}`);
  }
  fail(1, `cannot start: ${reasonOf(error)}`);
}

/**
 * Opens the database for reading, and changes nothing.
 * @returns what the service will find when it starts, as a clause for the operator.
 * @throws DatabaseError if the service could not start with it.
 */
async function checkDatabase(url: string): Promise<string> {
  try {
    const {
      missing,
      unknown: [newer],
    } = await readMigrations(url);
    if (newer !== undefined) {
      throw new DatabaseError(
        `cannot open the database ${isSqlite(url) ? pathOf(url) : nameOf(url)}: ${newerVersion(newer)}`,
      );
    }
    if (isSqlite(url)) {
      assertWritable(pathOf(url), "open");
    }
    return missing.length === 0
      ? "the database can be read"
      : `the tables of the database ${nameOf(url)} will be upgraded when the service starts`;
  } catch (error) {
    if (!(error instanceof NoDatabaseError)) {
      throw error;
    }
    if (isSqlite(url)) {
      assertWritable(pathOf(url), "create");
    }
    return `the ${isSqlite(url) ? "" : "tables of the "}database ${nameOf(url)} will be created when the service starts`;
  }
}

async function readMigrations(url: string): ReturnType<typeof compareMigrations> {
  const database = await openDatabase(url, { isReader: true, mustExist: true });
  try {
    return await compareMigrations(database);
  } finally {
    await database.destroy();
  }
}

/** @throws DatabaseError if a file with this path, or those that SQLite puts beside it, could not be created. */
function assertWritable(path: string, purpose: "open" | "create"): void {
  let nearest = dirname(path);
  while (!existsSync(nearest)) {
    nearest = dirname(nearest);
  }
  try {
    if (!statSync(nearest).isDirectory()) {
      throw new Error(`${nearest} is not a directory`);
    }
    accessSync(nearest, constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new DatabaseError(`cannot ${purpose} the database ${path}: ${reasonOf(error)}`, { cause: error });
  }
}
