import { findLiveSource, liveSources, nearestLiveSource, type LiveSource } from "@gpu-offers/sources";
import { pino } from "pino";
import { readSharedSettings } from "@gpu-offers/sync/settings";
import { readGpuAliases } from "@gpu-offers/fetch/gpu-alias-file";
import type { FetcherOptions } from "@gpu-offers/fetch/source-fetcher";
import { LiveEngine } from "@gpu-offers/sync/live-engine";
import type { LiveEvent } from "@gpu-offers/sync/live-run";
import { LiveSettingsFile } from "@gpu-offers/fetch/live-settings";
import { Secrets } from "@gpu-offers/fetch/secrets";
import type { Database } from "@gpu-offers/store/database";
import { CommandFailure } from "./command.js";
import { invocation } from "./invocation.js";

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
export function readLiveSettings(): FetcherOptions {
  const config = readSharedSettings(process.env);
  return {
    settings: LiveSettingsFile.read(liveSources, config),
    gpuAliases: readGpuAliases(config),
    secrets: new Secrets(liveSources, process.env),
    allowPrivate: config.SOURCES_ALLOW_PRIVATE,
  };
}

/** An engine for commands. It doesn't log: the command prints the outcome. */
export function createEngine(database: Database, onEvent?: (event: LiveEvent) => void): LiveEngine {
  return new LiveEngine({
    ...readLiveSettings(),
    database,
    sources: liveSources,
    logger: pino({ level: "silent" }),
    ...(onEvent === undefined ? {} : { onEvent }),
  });
}
