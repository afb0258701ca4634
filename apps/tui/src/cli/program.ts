import {
  editDistance,
  fromMicros,
  nearNames,
  NO_CATALOG,
  onOffer,
  readSearch,
  toMicros,
  type ListingQuery,
  withDoorDefaults,
} from "@gpu-offers/domain";
import { usdText } from "@gpu-offers/list";
import { Argument, Command } from "commander";
import { completions, completionScript, SHELLS, type Shell } from "@gpu-offers/completion";
import type { OfferSource } from "../catalog/offer-source.js";
import { sourceNotes } from "../catalog/source-notes.js";
import { examplesText } from "./examples.js";
import { manPage } from "./man-page.js";
import { COMPLETION_TIMEOUT_MS, completedProgram, completionValues } from "./completion.js";
import { EXIT, EXIT_MEANINGS, Failure } from "../exit-codes.js";
import { resultLine, type PickResult } from "../output/result.js";
import { getOffer, pickById, pickFirst } from "./first-command.js";
import { checkFlags } from "./flag-rules.js";
import { addFlags, DEFAULT_INTERVAL_S, withWishedFlags, type Flags } from "./flags.js";
import { listText } from "./list-command.js";
import { resolveQuery } from "./resolve-query.js";
import { readSettings } from "./settings.js";
import { checkChanging, fetchBefore, openSource, type Host } from "./source-choice.js";
import { VERSION } from "../output/version.js";
import { addSourceCommands } from "./subcommands.js";
import { alertEach, untilMatch, type WatchOptions } from "./watch.js";

const HELP_END = `
Examples:
${examplesText()}

Exit codes:
${EXIT_MEANINGS.map(([code, meaning]) => `  ${code.padEnd(6)} ${meaning}`).join("\n")}

Settings: GPU_OFFERS_URL, GPU_OFFERS_API_KEY, and gpu-offers/config.json in
XDG_CONFIG_HOME or ~/.config.`;

/** Options that have no effect on lists, or that `list` implies. */
const NOT_OF_LIST: ReadonlySet<string> = new Set(["version", "first", "id", "list", "exec", "sample", "accessible"]);

/** The command line of the picker. */
export function createProgram(host: Host): Command {
  const program = new Command("gpu-offers")
    .description("Find a rentable GPU instance and print its deployment as one line of JSON.")
    .exitOverride()
    .allowExcessArguments(false)
    // Errors are printed by the caller, in one line.
    .configureOutput({ writeErr: () => {} })
    .helpOption("-h, --help", "show help")
    .version(VERSION, "-V, --version", "show the version")
    .addHelpText("after", HELP_END)
    .action((flags: Flags) => {
      checkCommandWord(program);
      return run(host, withWords(flags, program.args));
    });
  addFlags(program);
  const shown = program.options.filter((option) => !NOT_OF_LIST.has(option.attributeName()));
  program
    .command("list")
    .description("List matching offers: short for --list --text")
    .argument("[words...]", "search words, as in the picker")
    .configureHelp({ showGlobalOptions: true, visibleGlobalOptions: () => shown })
    .action((words: string[], _, list: Command) =>
      run(host, { ...withWords(list.optsWithGlobals<Flags>(), words), list: true }),
    );
  addSourceCommands(program, host);
  program
    .command("completion")
    .description("Print a shell completion script")
    .addArgument(new Argument("<shell>", "name of the shell").choices(SHELLS))
    .action((shell: Shell) => host.print(completionScript(shell, program.name())));
  program
    .command("complete", { hidden: true })
    .description("Print what completion scripts offer")
    .argument("[words...]", "words after the name of the program, the last of which is completed")
    .action(async (words: string[], _, command: Command) => {
      const flags = command.optsWithGlobals<Flags>();
      const { environment } = host;
      const completed = completedProgram(program, async (kind) => {
        const settings = await readSettings(environment, flags);
        const options = { environment, retries: 0, timeoutMs: COMPLETION_TIMEOUT_MS };
        return completionValues(await openSource(flags, settings, options), kind);
      });
      host.print(await completions(completed, words));
    });
  program
    .command("man")
    .description("Print the manual page (gpu-offers man | man -l -)")
    .action(() => host.print(manPage(program, VERSION)));
  program
    .command("help")
    .description("Show help for a command")
    .argument("[command]", "name of the command")
    .action((name?: string) => (name === undefined ? program : commandNamed(program, name)).outputHelp());
  // Of the program itself alone: words are the filter.
  return program.allowExcessArguments();
}

/** The flags, with the words beside them as filter text. */
function withWords(flags: Flags, words: readonly string[]): Flags {
  const text = [...(flags.text === undefined ? [] : [flags.text]), ...words].join(" ");
  return text === "" ? flags : { ...flags, text };
}

/** What people try in place of a command, and what they mean. */
const TRIED: ReadonlyMap<string, string> = new Map([
  ["watch", "list --watch"],
  ["fits", "fit"],
]);

/** @throws Failure if the first word is a mistyped command, and not understood as a word of a search. */
function checkCommandWord(program: Command): void {
  const [word = ""] = program.args;
  const isNear = [...namesOf(program), ...TRIED.keys()].some((name) => editDistance(word, name, 1) <= 1);
  if (word.length < 3 || !isNear) {
    return;
  }
  const [first] = readSearch(program.args.join(" "), NO_CATALOG).pieces;
  if (first?.text === word && first.terms.every(({ kind }) => kind === "word")) {
    commandNamed(program, word);
  }
}

function namesOf({ commands }: Command): string[] {
  return commands.map((command) => command.name()).filter((visible) => visible !== "complete");
}

/** @throws Failure if there is no such command. */
function commandNamed(program: Command, name: string): Command {
  const found = program.commands.find((command) => command.name() === name);
  if (found === undefined) {
    const names = namesOf(program);
    const meant = nearNames(name, [...names, ...TRIED.keys()]).map((near) => TRIED.get(near) ?? near);
    const hint = meant.length === 0 ? "" : ` Did you mean ${[...new Set(meant)].join(" or ")}?`;
    throw new Failure(EXIT.usage, `unknown command ${JSON.stringify(name)}.${hint} Use one of ${names.join(", ")}.`);
  }
  return found;
}

async function run(host: Host, given: Flags): Promise<void> {
  checkFlags(given);
  await checkFields(given);
  const settings = await readSettings(host.environment, given);
  const flags = withWishedFlags(given);
  if (given.first !== true && given.list !== true && given.watch !== true && given.id === undefined) {
    // There the words are read again with each key; only the order that they wish for stays.
    return host.pick(flags.sort === undefined ? given : { ...given, sort: flags.sort }, settings);
  }
  const { notify } = host;
  const source = await openSource(flags, settings, host);
  try {
    await fetchBefore(source, flags, notify);
    if (flags.watch === true) {
      await checkChanging(source, flags, settings);
      if (flags.id !== undefined) {
        // A mistyped id would be waited for without end.
        await getOffer(source, flags.id);
      }
    }
    const query = withDoorDefaults(resolveQuery(flags, settings, notify));
    const wanted = flags.cheaper === true ? await cheaperThanNow(host, source, query) : query;
    await runScript(host, flags, source, wanted);
  } finally {
    // Rejected rows may be what the user is looking for.
    const notes = source.countLeftOut().then((left) => sourceNotes(source, left));
    (await notes.catch(() => [])).forEach(notify);
  }
}

/** @throws Failure for an unknown field, which would be null in every row. */
async function checkFields({ fields, format = "table" }: Flags): Promise<void> {
  if (fields === undefined) {
    return;
  }
  // Loaded lazily: the schemas would slow down the start of all other commands.
  const { unknownField } = await import("../output/record-fields.js");
  const problem = unknownField(fields, format);
  if (problem !== undefined) {
    throw new Failure(EXIT.usage, problem);
  }
}

async function cheaperThanNow(host: Host, source: OfferSource, query: ListingQuery): Promise<ListingQuery> {
  const { offers } = await source.find({ ...onOffer(query), sort_by: "pricePerGpu", sort_order: "asc" }, 1);
  const [cheapest] = offers;
  if (cheapest === undefined) {
    return query;
  }
  host.notify(`the cheapest match is ${usdText(cheapest.pricePerGpu)} per GPU-hour now.`);
  return { ...query, max_price: fromMicros(toMicros(cheapest.pricePerGpu) - 1) };
}

async function runScript(host: Host, flags: Flags, source: OfferSource, query: ListingQuery): Promise<void> {
  const said = new Set<string>();
  // What is watched is read and fetched again and again.
  const notify = (text: string): void => {
    if (!said.has(text)) {
      host.notify(text);
    }
    said.add(text);
  };
  const terms = { isWatch: flags.watch === true, isSampleAllowed: flags.sample === true, notify };
  const pick = (): Promise<PickResult> =>
    flags.id === undefined ? pickFirst(source, query, terms) : pickById(source, flags.id, query, terms);
  const watching: WatchOptions = {
    intervalMs: (flags.interval ?? DEFAULT_INTERVAL_S) * 1000,
    timeoutMs: flags.timeout === undefined ? undefined : flags.timeout * 1000,
    refresh: () => fetchBefore(source, flags, notify, { isRepeated: true }),
    onWait: (reason) => host.notify(`${reason} Waiting; press Ctrl-C to stop.`),
  };
  if (flags.exec !== undefined) {
    await alertEach(pick, flags.exec, watching);
    return;
  }
  const work = async (): Promise<string> =>
    flags.list === true ? listText(source, query, flags, terms) : resultLine(await pick());
  host.print(await (terms.isWatch ? untilMatch(work, watching) : work()));
}
