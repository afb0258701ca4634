import { findLiveSource, liveSources, nearestLiveSource, type LiveSource } from "@gpu-offers/sources";
import { pino } from "pino";
import * as z from "zod";
import { readConfig } from "../config.js";
import { readGpuAliases } from "../gpu-alias-file.js";
import { LiveEngine, type EngineParts } from "../live/live-engine.js";
import type { LiveEvent } from "../live/live-run.js";
import { LiveSettingsFile } from "../live/live-settings.js";
import { Secrets } from "../live/secrets.js";
import type { Database } from "../store/database.js";
import { CommandFailure } from "./command-failure.js";
import { invocation } from "./invocation.js";
import { VERSION } from "../package-folder.js";

// What the source commands share: looking up a source, and an engine with the settings of the environment.

/** Finds a live source by name. @throws CommandFailure with the nearest name if there is none. */
export function getLiveSource(name: string): LiveSource {
  const source = findLiveSource(name);
  if (source === undefined) {
    const near = nearestLiveSource(name);
    const hint = near === undefined ? "" : ` Did you mean ${near}?`;
    throw new CommandFailure(`no live source ${name}.${hint} List sources: ${invocation("source", "list")}`, 2);
  }
  return source;
}

/** Settings and secrets of live sources, from the environment. */
export function readLiveSettings(): Pick<EngineParts, "settings" | "gpuAliases" | "secrets" | "allowPrivate"> {
  const config = readConfig(process.env);
  return {
    settings: LiveSettingsFile.read(liveSources, config),
    gpuAliases: readGpuAliases(config),
    secrets: new Secrets(liveSources, process.env),
    allowPrivate: config.SOURCES_ALLOW_PRIVATE,
  };
}

/** An engine for commands. It doesn't log: the command prints the outcome. */
export function createEngine(database: Database, onEvent?: (event: LiveEvent) => void): LiveEngine {
  const config = readConfig(process.env);
  return new LiveEngine({
    ...readLiveSettings(),
    database,
    sources: liveSources,
    logger: pino({ level: "silent" }),
    version: VERSION,
    historyDays: config.HISTORY_DAYS,
    hasStockHistory: config.HISTORY_STOCK === "on",
    ...(onEvent === undefined ? {} : { onEvent }),
  });
}

/** An engine without a database, which can fetch but not store. */
export function createFetcher(): LiveEngine {
  // Tests and recordings never use the database; using it throws.
  return createEngine(undefined as never);
}

/** The outcome of a source's run, as JSON. */
export const runResultJson = z.strictObject({
  source: z.string(),
  outcome: z.enum(["applied", "unchanged", "quarantined", "failed", "dry_run", "busy"]),
  offers: z.int().describe("offers that were read"),
  rejected: z.int().describe("rows that could not be read"),
  added: z.int(),
  changed: z.int(),
  removed: z.int(),
  duration_ms: z.int(),
  error: z.strictObject({ code: z.string(), message: z.string() }).nullable(),
  failed_scopes: z.record(z.string(), z.string()).describe("parts that failed, with the reason"),
  notes: z.array(z.string()),
});
