import { isKeyless, liveSources, type LiveSource } from "@gpu-offers/sources";
import * as z from "zod";
import { loadSourceModules } from "@gpu-offers/fetch/source-modules";
import { findStoredSource, planRun, saveSource } from "@gpu-offers/store/live.store";
import { readSharedSettings } from "@gpu-offers/sync/settings";
import { withDatabase, withNewDatabase } from "./admin-database.js";
import { CommandFailure, type AdminCommand, type Outcome } from "./command.js";
import { invocation } from "./invocation.js";
import { addSourceList, addSourceStatus } from "./source-status.js";
import { addSourceSync, describeSync, sourceSyncJson, syncSources, type SyncJson } from "./source-sync.js";
import { addSourceRecord, addSourceTest } from "./source-test.js";
import { createEngine, getLiveSource, readLiveSettings } from "./source-tools.js";

const sourceAcceptJson = z.strictObject({
  source: z.string(),
  outcome: z.enum(["imported", "unchanged", "rejected"]),
  added: z.int(),
  changed: z.int(),
  removed: z.int(),
  revision: z.int().nullable(),
});

/** `source list|enable|disable|sync|status|show|accept|test|record`. */
export function addSourceCommands(program: AdminCommand, { starterCatalog }: { starterCatalog: URL }): void {
  const source = program.command("source").description("Manage live price sources");
  source.hook("preAction", () => loadSourceModules(readSharedSettings(process.env)));
  addSourceList(source);
  source
    .command("enable")
    .description("Enable live sources and fetch their prices")
    .argument("[name...]", "names of sources")
    .option("--keyless", "all verified sources that need no key")
    .option("--no-sync", "don't fetch now; let the service do it")
    .notes(
      "A running service keeps enabled sources up to date from then on. Exits with status 1 if the first fetch of a source fails; the source is enabled anyway.",
    )
    .examples("gpu-offers-admin source enable --keyless", "gpu-offers-admin source enable vast runpod")
    .prints(sourceSyncJson, enable);
  source
    .command("disable")
    .description("Disable live sources; their offers stay until they expire")
    .argument("<name...>", "names of sources")
    .examples("gpu-offers-admin source disable vast")
    .prints(z.strictObject({ disabled: z.array(z.string()) }), disable);
  addSourceSync(source);
  addSourceStatus(source);
  source
    .command("accept")
    .description("Apply a source's quarantined run to the catalog")
    .argument("<name>", "name of the source")
    .examples("gpu-offers-admin source accept vast")
    .prints(sourceAcceptJson, accept);
  addSourceTest(source, starterCatalog);
  addSourceRecord(source);
}

async function enable(
  names: string[],
  options: { json?: true; keyless?: true; sync: boolean },
): Promise<Outcome<SyncJson>> {
  const keyless = options.keyless === true ? liveSources.filter((source) => isKeyless(source)) : [];
  const chosen = [...new Set([...names.map(getLiveSource), ...keyless])];
  if (chosen.length === 0) {
    throw new CommandFailure("name the sources to enable, or add --keyless.", 2);
  }
  const { settings } = readLiveSettings();
  for (const source of chosen) {
    checkEnabling(source, settings.of(source).enabled, settings.of(source).own.convert);
  }
  const enabled = chosen.map(({ name }) => name).join(", ");
  return withNewDatabase(async (database) => {
    for (const source of chosen) {
      await saveSource(database, source, settings.of(source), true);
      // Discard the schedule from before the source was disabled.
      await planRun(database, source.name, null);
    }
    if (!options.sync) {
      return {
        json: { results: [], revision: null },
        done: `Enabled ${enabled}. A running service fetches them within a minute.`,
      };
    }
    // The reasons were printed as they happened.
    return describeSync(
      await syncSources(database, chosen, options),
      (failed) => `enabled ${enabled}; the first fetch of ${failed} failed. See ${invocation("source", "status")}`,
    );
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

async function disable(names: string[]) {
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
  return {
    json: { disabled },
    done: `Disabled ${disabled.join(", ")}. Their offers stay; once they are stale, their availability is unknown.`,
  };
}

async function accept(name: string): Promise<Outcome<z.input<typeof sourceAcceptJson>>> {
  const source = getLiveSource(name);
  const report = await withDatabase((database) => createEngine(database).accept(source));
  if (report === undefined) {
    throw new CommandFailure(`${name} has no quarantined run.`);
  }
  const { outcome, added, changed, removed, revision = null, problem } = report;
  if (outcome !== "imported" && outcome !== "unchanged") {
    throw new CommandFailure(`${problem ?? "The run cannot be imported."} Nothing was changed.`);
  }
  return {
    json: { source: name, outcome, added, changed, removed, revision },
    done:
      revision === null
        ? `The catalog already has all offers of this run of ${name}.`
        : `Accepted ${name}: added ${added}, changed ${changed}, removed ${removed}. The catalog is now revision ${revision}.`,
  };
}
