import { LAUNCH_KINDS } from "@gpu-offers/domain/launching";
import { Option, type Command } from "commander";
import { balanceFor } from "../catalog/balance-for.js";
import type { OfferSource } from "../catalog/offer-source.js";
import { EXIT, Failure } from "../exit-codes.js";
import { FORMATS, type Format } from "../output/formats.js";
import { accountText, balanceText, imagesText, providersText, rejectedRowsText } from "./catalog-commands.js";
import { checkCommandFlags, flagsOf, type SourceCommand } from "./flag-rules.js";
import { addFitFlags, addLaunchFlags, addTrendFlags, type Flags } from "./flags.js";
import { sourceOptions, type Host } from "./host.js";
import { readSettings } from "./settings.js";
import { compareText, launchText, showText, type ShowOptions } from "./show-command.js";
import { fetchBefore, openSource } from "./source-choice.js";

// The subcommands that print something of a catalog or an account.

/** Context of a subcommand. */
interface Printer {
  source: OfferSource;
  flags: Flags;
  format: Format;
}

/** For subcommands, `--provider` isn't a filter. */
const FILE_PROVIDER = new Option("--provider <name>", "provider of a SkyPilot file, with --catalog");

/** Adds a subcommand that reads a source. Its help lists the program's flags that affect it. */
export function addSourceCommand(program: Command, name: SourceCommand): Command {
  const flags: readonly string[] = flagsOf(name);
  // The format is an option of the subcommand itself.
  const shown = program.options
    .filter((option) => option.long !== "--format" && flags.includes(option.attributeName()))
    .map((option) => (option.attributeName() === "provider" ? FILE_PROVIDER : option));
  return program.command(name).configureHelp({ showGlobalOptions: true, visibleGlobalOptions: () => shown });
}

/** Subcommands that print resources of the catalog or the account. */
export function addPrinters(program: Command, host: Host): void {
  const add = (
    name: SourceCommand,
    description: string,
    text: (printer: Printer, words: string[]) => Promise<string>,
  ): Command => {
    const command = addSourceCommand(program, name).description(description);
    if (flagsOf(name).some((flag) => flag === "format")) {
      command.addOption(new Option("-o, --format <format>", "output format").choices(FORMATS));
    }
    if (name === "launch") {
      addLaunchFlags(command);
    }
    return command.action(async () => {
      const flags = command.optsWithGlobals<Flags>();
      checkCommandFlags(name, flags);
      const settings = await readSettings(host.environment, flags);
      const source = await openSource(flags, settings, sourceOptions(host, settings));
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
      fits: flags.fits,
      isSpot: flags.spot !== undefined && flags.spot !== "false",
      kind: LAUNCH_KINDS.find((kind) => kind === flags.as),
      isChecked: flags.check,
      isSampleAllowed: flags.sample === true,
      ceilingPercent: flags.ceiling,
      nodes: flags.nodes,
      top: flags.top,
      notify: host.notify,
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
