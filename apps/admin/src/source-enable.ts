import { isKeyless, liveSources, type LiveSource } from "@gpu-offers/sources";
import type { Command } from "commander";
import * as z from "zod";
import { findStoredSource, planRun, saveSource } from "@gpu-offers/store/live.store";
import { withDatabase, withNewDatabase } from "./admin-database.js";
import { CommandFailure } from "./command-failure.js";
import { addUsage, type JsonOption } from "./command-usage.js";
import { invocation } from "./invocation.js";
import { printDone } from "./output.js";
import { reportSync, sourceSyncJson, syncSources } from "./source-sync.js";
import { getLiveSource, readLiveSettings } from "./source-tools.js";

const sourceDisableJson = z.strictObject({ disabled: z.array(z.string()) });

interface EnableOptions extends JsonOption {
  keyless?: true;
  sync: boolean;
}

/** `source enable`: syncs sources now and from then on. */
export function addSourceEnable(source: Command): void {
  addUsage(
    source
      .command("enable")
      .description("Enable live sources and fetch their prices")
      .argument("[name...]", "names of sources")
      .option("--keyless", "all verified sources that need no key")
      .option("--no-sync", "don't fetch now; let the service do it"),
    {
      json: sourceSyncJson,
      examples: ["gpu-offers-admin source enable --keyless", "gpu-offers-admin source enable vast runpod"],
      notes:
        "A running service keeps enabled sources up to date from then on. Exits with status 1 if the first fetch of a source fails; the source is enabled anyway.",
    },
  ).action(enable);
}

/** `source disable`: stops syncing sources. */
export function addSourceDisable(source: Command): void {
  addUsage(
    source
      .command("disable")
      .description("Disable live sources; their offers stay until they expire")
      .argument("<name...>", "names of sources"),
    { json: sourceDisableJson, examples: ["gpu-offers-admin source disable vast"] },
  ).action(disable);
}

async function enable(names: string[], options: EnableOptions): Promise<void> {
  const keyless = options.keyless === true ? liveSources.filter((source) => isKeyless(source)) : [];
  const chosen = [...new Set([...names.map(getLiveSource), ...keyless])];
  if (chosen.length === 0) {
    throw new CommandFailure("name the sources to enable, or add --keyless.", 2);
  }
  const { settings } = readLiveSettings();
  for (const source of chosen) {
    checkEnabling(source, settings.of(source).enabled, settings.of(source).own.convert);
  }
  await withNewDatabase(async (database) => {
    for (const source of chosen) {
      await saveSource(database, source, settings.of(source), true);
      // Discard the schedule from before the source was disabled.
      await planRun(database, source.name, null);
    }
    const synced = options.sync ? await syncSources(database, chosen, options) : { results: [], revision: null };
    if (!options.sync) {
      const text = `Enabled ${chosen.map(({ name }) => name).join(", ")}. A running service fetches them within a minute.`;
      await printDone(sourceSyncJson, synced, options, text);
      return;
    }
    const unsynced = await reportSync(synced, options);
    if (unsynced.length > 0) {
      const enabled = chosen.map(({ name }) => name).join(", ");
      // The reasons were printed as they happened.
      const failed = unsynced.map((result) => result.source).join(", ");
      throw new CommandFailure(
        `enabled ${enabled}; the first fetch of ${failed} failed. See ${invocation("source", "status")}`,
      );
    }
  });
}

function checkEnabling(source: LiveSource, inFile: boolean | undefined, convert: "ecb" | undefined): void {
  const { name, currency } = source;
  if (inFile === false) {
    throw new CommandFailure(`${name} is disabled in SOURCES_FILE (enabled: false). Enable it there.`);
  }
  if (currency !== "USD" && convert === undefined) {
    throw new CommandFailure(
      `${name} states prices in ${currency}. Turn conversion on in SOURCES_FILE: sources.${name}.convert: ecb`,
    );
  }
}

async function disable(names: string[], options: JsonOption): Promise<void> {
  const chosen = names.map(getLiveSource);
  const { settings } = readLiveSettings();
  await withDatabase(async (database) => {
    for (const source of chosen) {
      if ((await findStoredSource(database, source.name)) !== undefined) {
        await saveSource(database, source, settings.of(source), false);
      }
    }
  });
  const disabled = chosen.map(({ name }) => name);
  const text = `Disabled ${disabled.join(", ")}. Their offers stay; once they are stale, their availability is unknown.`;
  await printDone(sourceDisableJson, { disabled }, options, text);
}
