import { compileSearch, fromMicros, nearNames, toMicros } from "@gpu-offers/domain";
import { LAUNCH_KINDS } from "@gpu-offers/domain/launching";
import { usdText, type Query } from "@gpu-offers/list";
import { Argument, Command, Option } from "commander";
import { completionScript, SHELLS, type Shell } from "@gpu-offers/completion";
import { SLOW_AFTER_MS, type OfferSource } from "../catalog/offer-source.js";
import { FORMATS, type Format } from "../output/formats.js";
import { readMatches } from "../catalog/matches.js";
import { rejectedText } from "../catalog/rejected-text.js";
import { accountText, balanceText, imagesText, providersText, rejectedRowsText } from "./catalog-commands.js";
import { examplesText } from "./examples.js";
import { manPage } from "./man-page.js";
import { COMPLETION_TIMEOUT_MS, completionValues, VALUE_KINDS, type ValueKind } from "./completion-values.js";
import { completedProgram } from "./completion.js";
import { EXIT, EXIT_MEANINGS, Failure } from "../output/exit-codes.js";
import { resultLine, type PickResult } from "../output/result.js";
import { balanceFor } from "../catalog/balance-for.js";
import { pickById, pickFirst } from "./first-command.js";
import { checkCommandFlags, checkFlags, flagsOf, type SourceCommand } from "./flag-rules.js";
import { addFitFlags, addFlags, addTrendFlags, DEFAULT_INTERVAL_S, type Flags } from "./flags.js";
import { listText } from "./list-command.js";
import { resolveQuery, wantedImage } from "./resolve-query.js";
import { readSettings, type Settings } from "./settings.js";
import { fetchBefore, openSource, openWhole, type SourceOptions } from "./source-choice.js";
import { VERSION } from "../output/version.js";
import { compareText, launchText, showText, type ShowOptions } from "./show-command.js";
import { alertEach, untilMatch, type WatchOptions } from "./watch.js";

/** Host functions of the command line. */
export interface Host {
  environment: Readonly<Record<string, string | undefined>>;
  /** Writes the result. */
  print: (text: string) => void;
  /** Prints a message that isn't part of the result. */
  notify: (text: string) => void;
  /** Opens the picker, and ends the program after it. */
  pick: (flags: Flags, settings: Settings) => Promise<void>;
}

const HELP_END = `
Examples:
${examplesText()}

Exit codes:
${EXIT_MEANINGS.map(([code, meaning]) => `  ${code.padEnd(6)} ${meaning}`).join("\n")}

Settings: GPU_OFFERS_URL, GPU_OFFERS_API_KEY, and gpu-offers/config.json in
XDG_CONFIG_HOME or ~/.config.`;

/** The command line of the picker. */
export function createProgram(host: Host): Command {
  const program = new Command("gpu-offers")
    .description("Find a rentable GPU instance and print its deployment as one line of JSON.")
    .exitOverride()
    .showHelpAfterError(false)
    .helpOption("-h, --help", "show help")
    .version(VERSION, "-V, --version", "show the version")
    .allowExcessArguments();
  addFlags(program);
  program.addHelpText("after", HELP_END).action((flags: Flags) => {
    return run(host, withWords(flags, program));
  });
  addPrinters(program, host);
  addSourceCommand(program, "mcp")
    .description("Serve MCP tools for agents over stdio")
    .exitOverride()
    .allowExcessArguments(false)
    .action(async (_, command: Command) => {
      const flags = command.optsWithGlobals<Flags>();
      checkCommandFlags("mcp", flags);
      // An agent can't see progress, so calls fail soon and can be retried.
      // Tools leave out unverified hosts by themselves.
      const source = await openWhole(flags, await readSettings(host.environment, flags), {
        environment: host.environment,
        retries: 0,
        timeoutMs: SLOW_AFTER_MS,
      });
      await fetchBefore(source, flags, host.notify);
      if (flags.catalog !== undefined) {
        // The person who configures the agent sees a wrong file now, not the agent at its first call.
        await source.listProviders();
      }
      // Loaded lazily: the protocol would slow down the start of all other commands.
      const { serveAgents } = await import("./mcp-command.js");
      await serveAgents(source, { version: VERSION, notify: host.notify });
    });
  program
    .command("completion")
    .description("Print a shell completion script")
    .addArgument(new Argument("<shell>", "name of the shell").choices(SHELLS))
    .exitOverride()
    .allowExcessArguments(false)
    .action((shell: Shell) => host.print(completionScript(shell, completedProgram(program))));
  program
    .command("complete", { hidden: true })
    .description("Print values for completion scripts")
    .addArgument(new Argument("<kind>", "kind of values").choices(VALUE_KINDS))
    .exitOverride()
    .action(async (kind: ValueKind, _, command: Command) => {
      const flags = command.optsWithGlobals<Flags>();
      const settings = await readSettings(host.environment, flags);
      const { environment } = host;
      const source = await openSource(flags, settings, { environment, retries: 0, timeoutMs: COMPLETION_TIMEOUT_MS });
      host.print((await completionValues(source, kind)).map((value) => `${value}\n`).join(""));
    });
  program
    .command("man")
    .description("Print the manual page (gpu-offers man | man -l -)")
    .exitOverride()
    .allowExcessArguments(false)
    .action(() => host.print(manPage(program, VERSION)));
  program
    .command("help")
    .description("Show help for a command")
    .argument("[command]", "name of the command")
    .exitOverride()
    .allowExcessArguments(false)
    .action((name?: string) => (name === undefined ? program : commandNamed(program, name)).outputHelp());
  return program;
}

/**
 * The flags, with the words beside them as filter text.
 * @throws Failure if the only word looks like a mistyped command.
 */
function withWords(flags: Flags, program: Command): Flags {
  const { args } = program;
  const [word = "", ...others] = args;
  if (others.length === 0 && nearNames(word, namesOf(program)).length > 0 && isCommandWord(word)) {
    commandNamed(program, word);
  }
  // `gpu-offers list h100` is --list with a filter.
  const isList = word === "list";
  const words = [...(flags.text === undefined ? [] : [flags.text]), ...(isList ? others : args)].join(" ");
  return { ...flags, ...(isList ? { list: true as const } : {}), ...(words === "" ? {} : { text: words }) };
}

/** The flags with `--spot` if the words ask for spot prices. */
function withSpotPrices(flags: Flags): Flags {
  const { text, spot } = flags;
  const isAsked = text !== undefined && spot === undefined && compileSearch(text).parsed.wishes.spot === true;
  return isAsked ? { ...flags, spot: "true" } : flags;
}

/** Whether a word can only be a command: `shwo`, but not `h100` or `8x`. */
function isCommandWord(word: string): boolean {
  return /^[a-z]{3,}$/.test(word);
}

function namesOf({ commands }: Command): string[] {
  return commands.map((command) => command.name()).filter((visible) => visible !== "complete");
}

/** @throws Failure if there is no such command. */
function commandNamed(program: Command, name: string): Command {
  const found = program.commands.find((command) => command.name() === name);
  if (found === undefined) {
    const names = namesOf(program);
    const near = nearNames(name, names);
    const hint = near.length === 0 ? "" : ` Did you mean ${near.join(" or ")}?`;
    throw new Failure(EXIT.usage, `unknown command ${JSON.stringify(name)}.${hint} Use one of ${names.join(", ")}.`);
  }
  return found;
}

async function run(host: Host, given: Flags): Promise<void> {
  checkFlags(given);
  const settings = await readSettings(host.environment, given);
  if (given.first !== true && given.list !== true && given.watch !== true && given.id === undefined) {
    // There words change prices as they are typed.
    return host.pick(given, settings);
  }
  const flags = withSpotPrices(given);
  const source = await openSource(flags, settings, sourceOptions(host, settings));
  try {
    await fetchBefore(source, flags, host.notify);
    const query = await resolveQuery(flags, settings, { source, notify: host.notify });
    await runScript(host, {
      flags,
      source,
      query: flags.cheaper === true ? await cheaperThanNow(host, source, query) : query,
    });
  } finally {
    await reportRejected(host, source);
  }
}

/** The query for offers cheaper per GPU-hour than all matches now. */
async function cheaperThanNow(host: Host, source: OfferSource, query: Query): Promise<Query> {
  const filter = { ...query.filter, available: true };
  const { offers } = await readMatches(source, { filter, sort: "pricePerGpu", order: "asc" }, { limit: 1 });
  const [cheapest] = offers;
  if (cheapest === undefined) {
    return query;
  }
  host.notify(`the cheapest match is ${usdText(cheapest.pricePerGpu)} per GPU-hour now.`);
  return { ...query, filter: { ...query.filter, maxPricePerGpu: fromMicros(toMicros(cheapest.pricePerGpu) - 1) } };
}

interface Script {
  flags: Flags;
  source: OfferSource;
  query: Query;
}

async function runScript(host: Host, { flags, source, query }: Script): Promise<void> {
  const isWatch = flags.watch === true;
  const said = new Set<string>();
  // A watched text is read again and again.
  const onReading = (text: string): void => {
    if (!said.has(text)) {
      host.notify(text);
    }
    said.add(text);
  };
  const options = { image: wantedImage(flags), budget: flags.budget, diskGb: query.filter.diskGb };
  const list = (): Promise<string> =>
    listText(source, query, {
      format: flags.format ?? "table",
      limit: flags.limit,
      fields: flags.fields,
      isWatch,
      width: process.stdout.isTTY ? process.stdout.columns : undefined,
      onReading,
    });
  const pick = (): Promise<PickResult> =>
    flags.id === undefined
      ? pickFirst(source, query, { ...options, isWatch, onReading })
      : pickById(source, flags.id, query, options);
  const watching: WatchOptions = {
    intervalMs: (flags.interval ?? DEFAULT_INTERVAL_S) * 1000,
    timeoutMs: flags.timeout === undefined ? undefined : flags.timeout * 1000,
    onWait: (reason) => host.notify(`${reason} Waiting; press Ctrl-C to stop.`),
  };
  if (flags.exec !== undefined) {
    const keyOf = ({ offer, estimate }: PickResult): string => `${offer.id} ${estimate.hourly}`;
    await alertEach(pick, { ...watching, command: flags.exec, keyOf, lineOf: resultLine });
    return;
  }
  const work = async (): Promise<string> => (flags.list === true ? list() : resultLine(await pick()));
  host.print(await (isWatch ? untilMatch(work, watching) : work()));
}

function sourceOptions({ environment, notify }: Host, settings: Settings): SourceOptions {
  return { environment, onSlow: createSlowNotifier(notify, settings) };
}

/** Reports once that a server doesn't respond, because its timeout is longer than users wait without feedback. */
export function createSlowNotifier(notify: (text: string) => void, { url }: Settings): () => void {
  let hasNotified = false;
  return () => {
    if (!hasNotified) {
      hasNotified = true;
      notify(`still waiting for a response from ${url}. Press Ctrl-C to stop.`);
    }
  };
}

/** Reports sample prices, and rejected rows of a catalog file, which may be what the user is looking for. */
async function reportRejected(host: Host, source: OfferSource): Promise<void> {
  const note = source.live?.note();
  if (note !== undefined) {
    host.notify(`${note}: no service is configured. --live fetches current prices.`);
  }
  if (source.leftOut !== undefined) {
    host.notify(source.leftOut);
  }
  const rejected = await source.listRejected().catch(() => []);
  if (rejected.length > 0) {
    host.notify(rejectedText(rejected, source.options));
  }
}

/** Context of a subcommand. */
interface Printer {
  source: OfferSource;
  flags: Flags;
  format: Format;
}

/** For subcommands, `--provider` isn't a filter. */
const FILE_PROVIDER = new Option("--provider <name>", "provider of a SkyPilot file, with --catalog");

/** Adds a subcommand that reads a source. Its help lists the program's flags that affect it. */
function addSourceCommand(program: Command, name: SourceCommand): Command {
  const flags: readonly string[] = flagsOf(name);
  // The format is an option of the subcommand itself.
  const shown = program.options
    .filter((option) => option.long !== "--format" && flags.includes(option.attributeName()))
    .map((option) => (option.attributeName() === "provider" ? FILE_PROVIDER : option));
  return program.command(name).configureHelp({ showGlobalOptions: true, visibleGlobalOptions: () => shown });
}

/** Subcommands that print resources of the catalog or the account. */
function addPrinters(program: Command, host: Host): void {
  const add = (
    name: SourceCommand,
    description: string,
    text: (printer: Printer, words: string[]) => Promise<string>,
  ): Command => {
    const command = addSourceCommand(program, name).description(description).exitOverride().allowExcessArguments(false);
    if (flagsOf(name).some((flag) => flag === "format")) {
      command.addOption(new Option("-o, --format <format>", "output format").choices(FORMATS));
    }
    if (name === "launch") {
      command.addOption(new Option("--as <kind>", "only for this tool").choices(LAUNCH_KINDS));
    }
    return command.action(async () => {
      const flags = command.optsWithGlobals<Flags>();
      checkCommandFlags(name, flags);
      const settings = await readSettings(host.environment, flags);
      const open = name === "gpus" ? openWhole : openSource;
      const source = await open(flags, settings, sourceOptions(host, settings));
      await fetchBefore(source, flags, host.notify);
      host.print(await text({ source, flags, format: flags.format ?? "table" }, command.args));
    });
  };
  const shown = async ({ source, flags, format }: Printer): Promise<ShowOptions> => {
    const [balance, { pricesAsOf }] = await Promise.all([balanceFor(source, flags.budget), source.readAge()]);
    return { format, diskGb: flags.disk, balance, pricesAsOf };
  };
  add("show", "Show an offer in detail", async (printer, [id = ""]) =>
    showText(printer.source, id, await shown(printer)),
  ).argument("<id>", "id of the offer");
  add("compare", "Compare offers side by side", async (printer, ids) =>
    compareText(printer.source, ids, await shown(printer)),
  ).argument("<ids...>", "ids of two or more offers");
  // Loaded lazily: the figures of GPUs would slow down the start of all other commands.
  add("gpus", "List GPUs with figures and prices", async ({ source, format }, names) =>
    (await import("./gpus-command.js")).gpusText(source, names, format),
  ).argument("[names...]", "names of GPUs or families; by default all that are offered");
  addTrendFlags(
    add("trend", "Show what a GPU cost over time", async ({ source, flags, format }, [name = ""]) =>
      (await import("./trend-command.js")).trendText(source, name, {
        format,
        since: flags.since,
        until: flags.until,
        step: flags.step,
      }),
    ).argument("<name>", "GPU or family: h100, =h100-sxm"),
  );
  addFitFlags(
    add("fit", "List GPUs that a language model fits into", async ({ source, flags, format }, [model = ""]) =>
      (await import("./fit-command.js")).fitText(source, model, { ...flags, format }),
    ).argument("<model>", "parameters: 70b, or all in one: 70b@8,16k"),
  );
  add("launch", "Print what rents an offer, ready to paste", ({ source, flags }, [id = ""]) =>
    launchText(source, id, {
      diskGb: flags.disk,
      isSpot: flags.spot !== undefined && flags.spot !== "false",
      kind: LAUNCH_KINDS.find((kind) => kind === flags.as),
    }),
  ).argument("<id>", "id of the offer");
  add("providers", "List providers", ({ source, format }) => providersText(source, format));
  add("images", "List a provider's OS images", ({ source, format }, [provider = ""]) =>
    imagesText({ source, notify: host.notify }, provider, format),
  ).argument("<provider>", "name of the provider");
  add("rejected", "List rejected rows of a catalog file", ({ source, flags, format }) => {
    if (flags.catalog === undefined) {
      throw new Failure(EXIT.usage, "only catalog files have rejected rows. Add --catalog FILE.");
    }
    return rejectedRowsText(source, format);
  });
  add("account", "Show the account for your API key", ({ source, format }) => accountText(source, format));
  add("balance", "Show your remaining credit", ({ source, format }) => balanceText(source, format));
}
