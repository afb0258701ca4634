import type { OsImage } from "@gpu-offers/domain";
import { Option, type Command } from "commander";
import { SLOW_AFTER_MS, type OfferSource, type RejectedRow } from "../catalog/offer-source.js";
import { EXIT, Failure } from "../exit-codes.js";
import { FORMATS, formatList, gridOf, type GridColumn } from "../output/formats.js";
import { IMAGES_UNKNOWN } from "../output/offer-words.js";
import { checkCommandFlags } from "./flag-rules.js";
import { addFitFlags, addLaunchFlags, addTrendFlags, type Flags } from "./flags.js";
import { launchText } from "./launch-command.js";
import { providersOf } from "./resolve-query.js";
import { readSettings } from "./settings.js";
import { compareText, showText } from "./show-command.js";
import { fetchBefore, openSource, type Host, type Printer, type SourceOptions } from "./source-choice.js";

// The subcommands that read a source: what they print of a catalog or an account, and the tools for agents.

/** For subcommands, `--provider` isn't a filter. */
const FILE_PROVIDER = new Option("--provider <name>", "provider of a SkyPilot file, with --catalog");

/** Flags of the program that select a source. */
const SOURCE = ["url", "catalog", "provider", "live"] as const;

type FlagNames = readonly (keyof Flags)[];

/** Adds a subcommand that reads a source. Its help lists the program's flags that affect it. */
function addSourceCommand(program: Command, name: string, affecting: FlagNames): Command {
  const shown = program.options
    .filter((option) => affecting.some((flag) => flag === option.attributeName()))
    .map((option) => (option.attributeName() === "provider" ? FILE_PROVIDER : option));
  return program.command(name).configureHelp({ showGlobalOptions: true, visibleGlobalOptions: () => shown });
}

/** The source of a subcommand, with current prices if it fetches some. @throws Failure for flags without effect. */
async function sourceFor(
  command: Command,
  affecting: FlagNames,
  host: Host,
  options: Partial<SourceOptions> = {},
): Promise<{ source: OfferSource; flags: Flags }> {
  const flags = command.optsWithGlobals<Flags>();
  checkCommandFlags(command, affecting, flags);
  const settings = await readSettings(host.environment, flags);
  const source = await openSource(flags, settings, { ...host, ...options });
  await fetchBefore(source, flags, host.notify);
  return { source, flags };
}

export function addSourceCommands(program: Command, host: Host): void {
  const notify = (text: string | undefined): void => (text === undefined ? undefined : host.notify(text));
  const add = (
    name: string,
    description: string,
    affecting: FlagNames,
    text: (printer: Printer, words: string[]) => Promise<string>,
  ): Command => {
    const command = addSourceCommand(program, name, affecting).description(description);
    return command.action(async () => {
      const { source, flags } = await sourceFor(command, affecting, host);
      host.print(await text({ source, flags, format: flags.format ?? "table", notify }, command.args));
    });
  };
  const addFormatted: typeof add = (...command) =>
    add(...command).addOption(new Option("-o, --format <format>", "output format").choices(FORMATS));
  /** A command that prints the same of each value. */
  const addTable = <Value extends object>(
    name: string,
    description: string,
    affecting: FlagNames,
    read: (printer: Printer, words: string[]) => Promise<readonly Value[]>,
    columns: readonly GridColumn<Value>[],
  ): Command =>
    addFormatted(name, description, affecting, async (printer, words) => {
      const values = await read(printer, words);
      return formatList(printer.format, values, () => gridOf(values, columns));
    });
  const priced = [...SOURCE, "disk", "budget"] as const;
  addFormatted("show", "Show an offer in detail", priced, showText).argument("<id>", "id of the offer");
  const compare = addFormatted("compare", "Compare offers side by side", priced, compareText);
  compare.argument("<ids...>", "ids of two or more offers");
  // Loaded lazily: the figures of GPUs would slow down the start of all other commands.
  const gpuCommands = () => import("./gpus-command.js");
  addFormatted("gpus", "List GPUs with figures and prices", SOURCE, async (...given) =>
    (await gpuCommands()).gpusText(...given),
  ).argument("[names...]", "names of GPUs or families; by default all that are offered");
  addTrendFlags(
    addFormatted("trend", "Show what a GPU cost over time", ["url"], async (...given) =>
      (await gpuCommands()).trendText(...given),
    ).argument("<name>", "GPU or family: h100, =h100-sxm"),
  );
  addFitFlags(
    addFormatted("fit", "List GPUs that a language model fits into", SOURCE, async (...given) =>
      (await import("./fit-command.js")).fitText(...given),
    ).argument("<model>", "parameters: 70b, or all in one: 70b@8,16k"),
  );
  const launched = [...SOURCE, "disk", "fits", "spot", "sample"] as const;
  const launch = add("launch", "Print what rents an offer, ready to paste", launched, launchText);
  addLaunchFlags(launch.argument("<id>", "id of the offer"));
  addTable("providers", "List providers", SOURCE, ({ source }) => source.listProviders(), [
    ["NAME", ({ name }) => name],
    ["TYPE", ({ type }) => type],
  ]);
  addTable("images", "List a provider's OS images", SOURCE, imagesOf, [
    ["ID", ({ id }) => id],
    ["NAME", ({ displayName }) => displayName],
    ["CUDA", ({ cudaVersion, hasCuda }) => cudaVersion ?? (hasCuda ? "yes" : "-")],
    ["DOCKER", ({ hasDocker }) => (hasDocker ? "yes" : "-")],
    ["DEFAULT", ({ isDefault }) => (isDefault ? "yes" : "-")],
  ]).argument("<provider>", "name of the provider");
  addTable("rejected", "List rejected rows of a catalog file", ["catalog", "provider"], rejectedRows, [
    ["WHERE", ({ where }) => where],
    ["CODE", ({ code }) => code],
    ["REASON", ({ reason }) => reason],
  ]);
  addTable("account", "Show the account for your API key", ["url"], async ({ source }) => [await source.getAccount()], [
    ["EMAIL", ({ email }) => email],
    ["NAME", ({ display_name }) => display_name],
    ["CREATED", ({ created_at }) => created_at],
    ["ID", ({ id }) => id],
  ]);
  addTable("balance", "Show your remaining credit", ["url"], async ({ source }) => [await source.getBalance()], [
    ["BALANCE", ({ balance }) => balance],
    ["CURRENCY", ({ currency }) => currency],
  ]);
  addSourceCommand(program, "mcp", SOURCE)
    .description("Serve MCP tools for agents over stdio")
    .action(async (_, command: Command) => {
      // An agent can't see progress, so calls fail soon and can be retried.
      const options = { retries: 0, timeoutMs: SLOW_AFTER_MS, notify: undefined };
      const { source, flags } = await sourceFor(command, SOURCE, host, options);
      if (flags.catalog !== undefined) {
        // The person who configures the agent sees a wrong file now, not the agent at its first call.
        await source.listProviders();
      }
      // Loaded lazily: the protocol would slow down the start of all other commands.
      const { serveAgents } = await import("./mcp-command.js");
      await serveAgents(source, host.notify);
    });
}

/** @throws Failure if there is no file, or no such row. */
async function rejectedRows({ source, flags }: Printer): Promise<readonly RejectedRow[]> {
  if (flags.catalog === undefined) {
    throw new Failure(EXIT.usage, "only catalog files have rejected rows. Add --catalog FILE.");
  }
  const rows = await source.listRejected();
  if (rows.length === 0) {
    throw new Failure(EXIT.nothing, `no row of ${source.place} was rejected.`);
  }
  return rows;
}

/** The OS images of a provider, or of all that a name may mean. @throws Failure if there is no such provider. */
async function imagesOf({ source, notify }: Printer, [provider = ""]: string[]): Promise<readonly OsImage[]> {
  const exact = await source.findImages(provider);
  const called = exact === undefined ? await providersOf(provider, source, notify) : [];
  const images = exact ?? (await Promise.all(called.map((name) => source.findImages(name)))).flatMap((all = []) => all);
  if (images.length === 0) {
    notify(`${IMAGES_UNKNOWN}.`);
  }
  return images;
}
