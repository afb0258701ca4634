import { ArgumentError } from "@gpu-offers/client";
import { Argument, Command, Option } from "commander";
import type { OfferSource } from "../catalog/offer-source.js";
import { FileSource } from "../catalog/file-source.js";
import { ServerSource } from "../catalog/server-source.js";
import { FORMATS, type Format } from "../output/formats.js";
import { refusedText } from "../catalog/refused-text.js";
import { accountText, balanceText, imagesText, providersText, refusedRowsText } from "./catalog-commands.js";
import { completionScript, SHELLS, type Shell } from "./completion.js";
import { EXIT, EXIT_MEANINGS, Failure } from "../output/exit.js";
import { firstLine } from "./first-command.js";
import { addFlags, checkCommandFlags, checkFlags, DEFAULT_INTERVAL_S, queryOf, type Flags } from "./flags.js";
import { listText } from "./list-command.js";
import { readSettings, type Settings } from "./settings.js";
import { untilMatch } from "./watch.js";

/** What the command line needs of the process around it. */
export interface Host {
  environment: Readonly<Record<string, string | undefined>>;
  /** Writes the result. */
  print: (text: string) => void;
  /** Tells a person something that is no result. */
  tell: (text: string) => void;
  /** Opens the picker, and ends the program when it is done with. */
  pick: (flags: Flags, settings: Settings) => Promise<void>;
}

/** The build puts it in. */
const VERSION = process.env["GPU_OFFERS_VERSION"] ?? "unbuilt";

const EXAMPLES = `
Examples:
  gpu-offers                                          open the picker
  gpu-offers --continent Europe --disk 500 --sort total
      open it on the cheapest with a disk of 500 GB in Europe
  gpu-offers --gpu h100-sxm --first | jq .deployment  the best one, in a script
  gpu-offers --max-price 2.50 --list --format csv     a list for a spreadsheet
  gpu-offers --gpu b200 --watch --first               wait until there is one
  gpu-offers images hyperstack                        images to start from
  gpu-offers --catalog aws/vms.csv                    pick without a service
  gpu-offers refused --catalog aws/vms.csv            rows that are no offers
  eval "$(gpu-offers completion bash)"                completion of all of this

Exit codes:
${EXIT_MEANINGS.map(([code, meaning]) => `  ${code.padEnd(6)} ${meaning}`).join("\n")}

Settings: GPU_OFFERS_URL, GPU_OFFERS_API_KEY, and gpu-offers/config.json in
XDG_CONFIG_HOME or ~/.config.`;

/** The command line of the picker. */
export function createProgram(host: Host): Command {
  const program = new Command("gpu-offers")
    .description("Finds a rentable GPU instance and prints its deployment as one line of JSON.")
    .exitOverride()
    .showHelpAfterError(false)
    .helpOption("-h, --help", "what there is, with examples")
    .version(VERSION, "-V, --version", "which version this is")
    .allowExcessArguments();
  addFlags(program);
  program.addHelpText("after", EXAMPLES).action((flags: Flags) => {
    const [word] = program.args;
    if (word !== undefined) {
      commandNamed(program, word);
    }
    return run(host, flags);
  });
  addPrinters(program, host);
  program
    .command("mcp")
    .description("serve MCP tools for agents over stdio")
    .exitOverride()
    .allowExcessArguments(false)
    .action(async (_, command: Command) => {
      const flags = command.optsWithGlobals<Flags>();
      checkCommandFlags("mcp", flags);
      const source = openSource(flags, readSettings(host.environment, flags));
      // Loaded when it is needed: the protocol would slow down the start of everything else.
      const { serveAgents } = await import("./mcp-command.js");
      await serveAgents(source, { version: VERSION, tell: host.tell });
    });
  program
    .command("completion")
    .description("print the completion script of a shell")
    .addArgument(new Argument("<shell>", "which shell").choices(SHELLS))
    .exitOverride()
    .allowExcessArguments(false)
    .action((shell: Shell) => host.print(completionScript(shell, program)));
  program
    .command("help")
    .description("the help of all, or of a command")
    .argument("[command]", "name of the command")
    .exitOverride()
    .allowExcessArguments(false)
    .action((name?: string) => (name === undefined ? program : commandNamed(program, name)).outputHelp());
  return program;
}

/** @throws Failure when there is no command of that name. */
function commandNamed({ commands }: Command, name: string): Command {
  const found = commands.find((command) => command.name() === name);
  if (found === undefined) {
    const names = commands.map((command) => command.name()).join(", ");
    throw new Failure(EXIT.usage, `there is no command ${JSON.stringify(name)}; there are ${names}.`);
  }
  return found;
}

async function run(host: Host, flags: Flags): Promise<void> {
  checkFlags(flags);
  const settings = readSettings(host.environment, flags);
  if (flags.first !== true && flags.list !== true && flags.watch !== true) {
    return host.pick(flags, settings);
  }
  const source = openSource(flags, settings);
  const query = queryOf(flags, settings);
  const isWatch = flags.watch === true;
  const work = (): Promise<string> =>
    flags.list === true
      ? listText(source, query, { format: flags.format ?? "table", limit: flags.limit, isWatch })
      : firstLine(source, query, { imageId: flags.image, isWatch });
  const onWait = (reason: string): void => host.tell(`${reason} Waiting; Ctrl-C ends it.`);
  const intervalMs = (flags.interval ?? DEFAULT_INTERVAL_S) * 1000;
  try {
    host.print(await (isWatch ? untilMatch(work, { intervalMs, onWait }) : work()));
  } finally {
    await tellRefused(host, source);
  }
}

/** What could not be read of a catalog file may be what was looked for. */
async function tellRefused(host: Host, source: OfferSource): Promise<void> {
  const refused = source instanceof FileSource ? await source.listRefused().catch(() => []) : [];
  if (refused.length > 0) {
    host.tell(`${source.place}: ${refusedText(refused, source.place)}`);
  }
}

/** Where flags and settings say that offers come from. */
export function openSource(flags: Flags, settings: Settings, retries?: number): OfferSource {
  if (flags.catalog !== undefined) {
    return new FileSource({ path: flags.catalog, provider: onlyOne(flags.provider) });
  }
  try {
    return new ServerSource({ ...settings, ...(retries === undefined ? {} : { retries }) });
  } catch (error) {
    throw error instanceof ArgumentError
      ? new Failure(EXIT.usage, `${error.message} See GPU_OFFERS_URL and GPU_OFFERS_API_KEY.`)
      : error;
  }
}

/** SkyPilot files do not name their provider; then the provider that is asked for is theirs. */
function onlyOne(providers: readonly string[] | undefined): string | undefined {
  return providers?.length === 1 ? providers[0] : undefined;
}

/** The sub-commands that print a list of something. */
function addPrinters(program: Command, host: Host): void {
  const add = (
    name: string,
    description: string,
    text: (source: OfferSource, format: Format, argument: string) => Promise<string>,
  ): Command => {
    const command = program.command(name).description(description).exitOverride().allowExcessArguments(false);
    command.addOption(new Option("--format <format>", "how it is printed").choices(FORMATS));
    return command.action(async (...args: unknown[]) => {
      const flags = command.optsWithGlobals<Flags>();
      checkCommandFlags(name, flags);
      const source = openSource(flags, readSettings(host.environment, flags));
      host.print(await text(source, flags.format ?? "table", String(args[0])));
    });
  };
  add("providers", "who rents GPUs out", providersText);
  add("images", "what a deployment of a provider can start from", (source, format, provider) =>
    imagesText(source, provider, format),
  ).argument("<provider>", "name of the provider");
  add("refused", "rows of a catalog file that are no offers, and why", (source, format) => {
    if (!(source instanceof FileSource)) {
      throw new Failure(EXIT.usage, "only a catalog file has refused rows: add --catalog FILE.");
    }
    return refusedRowsText(source, format);
  });
  add("account", "whose API key it is", accountText);
  add("balance", "the credit that is left", balanceText);
}
