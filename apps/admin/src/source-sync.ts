import { setTimeout as delay } from "node:timers/promises";
import type { LiveSource } from "@gpu-offers/sources";
import * as z from "zod";
import { runResultSchema, type FinishedRun, type LiveEvent, type RunResult } from "@gpu-offers/sync/live-run";
import { listStoredSources } from "@gpu-offers/store/live.store";
import { MAX_PARALLEL_RUNS, SETTLE_MS } from "@gpu-offers/sync/schedule";
import type { Database } from "@gpu-offers/store/database";
import { withDatabase, withPreview } from "./admin-database.js";
import { CommandFailure, type AdminCommand, type Outcome } from "./command.js";
import { invocation } from "./invocation.js";
import { createEngine, getLiveSource } from "./source-tools.js";
import { counted } from "./table.js";

const runResultJson = runResultSchema.extend({
  outcome: z.enum(["applied", "unchanged", "quarantined", "failed", "dry_run", "busy"]),
});

/** Output of `source sync` and `source enable`. */
export const sourceSyncJson = z.strictObject({
  results: z.array(runResultJson),
  revision: z.int().nullable().describe("the newest revision this created; null if none"),
});

/** See {@link sourceSyncJson}. */
export type SyncJson = z.output<typeof sourceSyncJson>;

/** `source sync`: fetches sources now. */
export function addSourceSync(source: AdminCommand): void {
  source
    .command("sync")
    .description("Fetch prices of live sources now")
    .argument("[name...]", "names of sources (default: all that are enabled)")
    .option("--dry-run", "show what would change, without changing anything")
    .notes(
      "Exits with status 1 if a source fails or is quarantined; all others are synced.\n--dry-run needs neither an enabled source nor a database.",
    )
    .examples("gpu-offers-admin source sync", "gpu-offers-admin source sync vast runpod --dry-run")
    .prints(sourceSyncJson, sync);
}

async function sync(names: string[], options: { json?: true; dryRun?: true }): Promise<Outcome<SyncJson>> {
  const named = names.map(getLiveSource);
  const { dryRun: isDryRun = false } = options;
  // A named source can be previewed before it is enabled, and before there is a database.
  const isPreview = isDryRun && named.length > 0;
  const synced = await (isPreview ? withPreview : withDatabase)(async (database) => {
    const sources = isPreview ? named : await chooseSources(database, named);
    return syncSources(database, sources, { ...options, isDryRun });
  });
  // A preview stores nothing, so the status knows nothing of it; the reasons were printed as they happened.
  const hint = isDryRun ? "" : `. See ${invocation("source", "status")}`;
  return describeSync(synced, (failed) => `not synced: ${failed}${hint}`);
}

async function chooseSources(database: Database, named: readonly LiveSource[]): Promise<readonly LiveSource[]> {
  const enabled = (await listStoredSources(database)).filter(({ isEnabled }) => isEnabled).map(({ name }) => name);
  const missing = named.find(({ name }) => !enabled.includes(name));
  if (missing !== undefined) {
    throw new CommandFailure(
      `${missing.name} is not enabled. Enable it: ${invocation("source", "enable", missing.name)}`,
    );
  }
  if (named.length === 0 && enabled.length === 0) {
    throw new CommandFailure(`no source is enabled. Enable some: ${invocation("source", "enable", "--keyless")}`);
  }
  return named.length > 0 ? named : enabled.map(getLiveSource);
}

/** Fetches sources and applies them, in few revisions. Progress goes to standard error. */
export async function syncSources(
  database: Database,
  sources: readonly LiveSource[],
  { isDryRun = false, json }: { isDryRun?: boolean; json?: true },
): Promise<SyncJson> {
  const progress = new Progress(json === true);
  const engine = createEngine(database, (event) => progress.see(event));
  const results: SyncJson["results"] = [];
  let revision: number | null = null;
  let finished: FinishedRun[] = [];
  const apply = async (): Promise<void> => {
    const runs = finished;
    finished = [];
    for (const result of isDryRun ? await engine.dryRun(runs) : await engine.apply(runs)) {
      revision = result.revision ?? revision;
      results.push(toJson(result, isDryRun));
      progress.say(lineOf(result, isDryRun));
    }
  };
  const queue = [...sources];
  const fetchNext = async (): Promise<void> => {
    for (let source = queue.shift(); source !== undefined; source = queue.shift()) {
      const run = await (isDryRun ? engine.preview(source) : engine.fetch(source));
      if (run === undefined) {
        results.push(busyResult(source.name));
        progress.say(`${source.name}: another process is syncing it now`);
      } else {
        finished.push(run);
      }
    }
  };
  const fetching = Promise.all(Array.from({ length: MAX_PARALLEL_RUNS }, fetchNext));
  // A slow source doesn't hold up the others.
  for (let isOver = false; !isOver;) {
    isOver = await Promise.race([fetching.then(() => true), delay(SETTLE_MS, false, { ref: false })]);
    await apply();
  }
  progress.end();
  const order = sources.map(({ name }) => name);
  results.sort((a, b) => order.indexOf(a.source) - order.indexOf(b.source));
  return { results, revision };
}

/** Describes what was synced. @param failureOf Describes the failure of sources, which failed or were quarantined. */
export function describeSync(synced: SyncJson, failureOf: (names: string) => string): Outcome<SyncJson> {
  const { results, revision } = synced;
  const summary = runResultJson.shape.outcome.options
    .map((outcome) => ({ outcome, count: results.filter((result) => result.outcome === outcome).length }))
    .filter(({ count }) => count > 0)
    .map(({ outcome, count }) => `${count} ${outcome.replace("_", " ")}`)
    .join(", ");
  const ending =
    revision === null
      ? "The catalog is unchanged."
      : `The catalog is now revision ${revision}; running services notice it within 2 seconds.`;
  const failed = results.filter(({ outcome }) => outcome === "failed" || outcome === "quarantined");
  return {
    json: synced,
    done: `${summary}. ${ending}`,
    failure: failed.length === 0 ? undefined : failureOf(failed.map(({ source }) => source).join(", ")),
  };
}

function toJson(result: RunResult, isDryRun: boolean): SyncJson["results"][number] {
  const { outcome, listedAs: _, quarantined: __, revision: ___, ...same } = result;
  return { ...same, outcome: isDryRun && (outcome === "applied" || outcome === "unchanged") ? "dry_run" : outcome };
}

function busyResult(source: string): SyncJson["results"][number] {
  const nothing = { offers: 0, rejected: 0, added: 0, changed: 0, removed: 0, images: 0, duration_ms: 0 };
  return { source, outcome: "busy", ...nothing, error: null, failed_scopes: {}, notes: [] };
}

function lineOf(result: RunResult, isDryRun: boolean): string {
  const { source: name, listedAs, outcome, added, changed, removed, error } = result;
  // An import may have named the provider differently.
  const source = listedAs === null || listedAs === name ? name : `${name} (listed as ${listedAs})`;
  const seconds = (result.duration_ms / 1_000).toFixed(1);
  if (error !== null) {
    return `${source}: ${outcome} after ${seconds} s: ${error.message}`;
  }
  const scopes = Object.entries(result.failed_scopes).map(([scope, reason]) => `\n  ${scope} failed: ${reason}`);
  const nothing = isDryRun ? "nothing would change" : "unchanged";
  const counts = isDryRun
    ? `would add ${added}, change ${changed}, remove ${removed}`
    : `added ${added}, changed ${changed}, removed ${removed}`;
  const images =
    result.images === 0 ? "" : `; ${counted(result.images, "image")} ${isDryRun ? "would change" : "changed"}`;
  return `${source}: ${counted(result.offers, "offer")} in ${seconds} s; ${outcome === "unchanged" ? nothing : counts}${images}${scopes.join("")}`;
}

/** Progress on standard error: a line per finished source, and on a terminal a status line. */
class Progress {
  readonly #requests = new Map<string, number>();
  readonly #isTerminal = process.stderr.isTTY;

  /** @param isQuiet print no progress, for JSON output. */
  constructor(private readonly isQuiet: boolean) {}

  see(event: LiveEvent): void {
    if (event.kind === "request") {
      this.#requests.set(event.source, (this.#requests.get(event.source) ?? 0) + 1);
    } else if (event.kind !== "sync") {
      this.#requests.delete(event.source);
    }
    if (this.#isTerminal && !this.isQuiet) {
      const text = [...this.#requests].map(([source, count]) => `${source} ${count}`).join("  ");
      const cut = text.slice(0, Math.max(0, (process.stderr.columns ?? 80) - 12));
      process.stderr.write(`\r\u001b[K${cut === "" ? "" : `requests: ${cut}`}`);
    }
  }

  say(line: string): void {
    if (!this.isQuiet) {
      process.stderr.write(`${this.#isTerminal ? "\r\u001b[K" : ""}${line}\n`);
    }
  }

  end(): void {
    if (this.#isTerminal) {
      process.stderr.write("\r\u001b[K");
    }
  }
}
