import { reasonOf } from "@gpu-offers/domain";
import { checkDatabase, checkFiles } from "./check.js";
import { serve } from "./serve.js";
import { ConfigError } from "@gpu-offers/fetch/config-error";
import { listSettings, readConfig, type Config } from "./config.js";
import { DatabaseError, isUnreachable } from "@gpu-offers/store/database-error";
import { VERSION } from "./package-folder.js";

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
  await checkFiles(config);
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
