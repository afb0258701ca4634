import { AdminCommand } from "./command.js";
import { invocation, PROGRAM_NAME } from "./invocation.js";

/** What the commands get from the package that they are published in. */
export interface Distribution {
  version: string;
  starterCatalog: URL;
}

type AddGroup = (program: AdminCommand, distribution: Distribution) => void;

/**
 * Command groups by their first word. They are loaded lazily, since the code that reads and fetches catalogs dominates
 * the startup time.
 */
const GROUPS: Readonly<Record<string, () => Promise<AddGroup>>> = {
  catalog: async () => (await import("./catalog-commands.js")).addCatalogCommands,
  source: async () => (await import("./source-commands.js")).addSourceCommands,
  account: async () => (await import("./account-commands.js")).addAccountCommands,
  key: async () => (await import("./account-commands.js")).addKeyCommands,
  credit: async () => (await import("./credit-commands.js")).addCreditCommands,
  verify: async () => (await import("./doctor.js")).addVerify,
  backup: async () => (await import("./backup.js")).addBackup,
  doctor: async () => (await import("./doctor.js")).addDoctor,
  database: async () => (await import("./backup.js")).addDatabaseCopy,
  completion: async () => (await import("./completion.js")).addCompletion,
};

/** docs/errors.md has the details of the exit codes. */
const HELP = `Commands that print a result accept --json.

Exit codes:
  0  success
  1  failed; no changes (source enable and source sync may have made some)
  2  invalid usage or settings
  3  done, but writing the output failed; see standard error`;

/**
 * The operator's command line. Every command throws a CommanderError instead of ending the process.
 * @param words the words after the command's name, if only the commands of their group are needed.
 */
export async function createProgram(distribution: Distribution, words: readonly string[] = []): Promise<AdminCommand> {
  // Subcommands inherit these settings, so they come first.
  const program = new AdminCommand(invocation())
    .description("Administer a gpu-offers database (DATABASE_URL, default: sqlite:./data/gpu-offers.sqlite).")
    .version(distribution.version, "--version", "print the version")
    .exitOverride()
    .configureOutput({ outputError: (text, write) => write(text.replace(/^error: /, `${PROGRAM_NAME}: `)) })
    .showHelpAfterError("Run with --help to see the available commands and options.")
    .notes(HELP)
    .examples(
      "gpu-offers-admin catalog import offers.ndjson",
      'gpu-offers-admin account create --email ada@example.com --name "Ada Lovelace"',
      "gpu-offers-admin key create --account ada@example.com --label laptop",
      "gpu-offers-admin credit add --account ada@example.com --amount 25.00 --reference invoice-17",
      "gpu-offers-admin credit add --help",
    );
  const [word, , completed, ...more] = words;
  // `complete -- catalog imp` completes within a group.
  const wanted = word === "complete" && more.length > 0 ? ["completion", completed] : [word];
  const found = Object.entries(GROUPS).filter(([name]) => wanted.includes(name));
  // Help and mistyped commands need all groups.
  const groups = found.length === wanted.length ? found : Object.entries(GROUPS);
  for (const addGroup of await Promise.all(groups.map(([, load]) => load()))) {
    addGroup(program, distribution);
  }
  return program;
}
