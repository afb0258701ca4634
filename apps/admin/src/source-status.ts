import type { SourceStatus } from "@gpu-offers/domain";
import { isKeyless, isVerified, liveSources, stockOf } from "@gpu-offers/sources";
import * as z from "zod";
import { formatDuration } from "@gpu-offers/fetch/duration";
import { findStoredSource } from "@gpu-offers/store/live.store";
import { findQuarantine, quarantineSchema, type StoredQuarantine } from "@gpu-offers/store/quarantine";
import { countOffers, listRunning, readSourceFacts } from "@gpu-offers/store/source-facts";
import { describeSource, describeSources } from "@gpu-offers/store/source-status";
import { isWarning } from "@gpu-offers/store/change-warnings";
import { NoDatabaseError } from "@gpu-offers/store/database-error";
import { withReader, withSnapshot } from "./admin-database.js";
import { CommandFailure, type AdminCommand } from "./command.js";
import { formatQuarantine } from "./import-report.js";
import { invocation } from "./invocation.js";
import { getLiveSource, readLiveSettings } from "./source-tools.js";
import { formatCount, formatFields, formatTable } from "./table.js";

const OVERDUE_SECONDS = 60;

const errorJson = z.strictObject({ code: z.string(), message: z.string(), at: z.string().nullable() });

const statusJson = z.strictObject({
  name: z.string(),
  providers: z.array(z.string()),
  kind: z.string(),
  state: z.string(),
  stock: z.string(),
  sample: z.boolean().describe("whether its prices are the sample, which is not for sale"),
  checked_at: z.string().nullable(),
  prices_as_of: z.string().nullable(),
  last_offered_at: z.string().nullable().describe("when it last showed an offer"),
  last_in_stock_at: z.string().nullable().describe("when it last showed one in stock"),
  age_seconds: z.int().nullable().describe("seconds since prices_as_of"),
  offers: z.int(),
  next_run_at: z.string().nullable(),
  error: errorJson.nullable(),
  coverage: z.strictObject({ scopes: z.int(), failed: z.array(z.string()) }).nullable(),
  origin: z.string().nullable(),
  warnings: z.array(z.string()).describe("what to look at in its last change, such as GPUs that it no longer lists"),
});

const sourceStatusJson = z.strictObject({ sources: z.array(statusJson) });

const sourceListJson = z.strictObject({
  sources: z.array(
    z.strictObject({
      name: z.string(),
      title: z.string(),
      kind: z.string(),
      keyless: z.boolean().describe("whether --keyless enables it"),
      verified: z.boolean().describe("whether its reader was tested with a response of the last year"),
      recorded_at: z.string().nullable().describe("date of that response"),
      enabled: z.boolean(),
      missing_key: z.string().nullable(),
      interval_seconds: z.int(),
      currency: z.string(),
      stock: z.string(),
      homepage: z.string(),
    }),
  ),
});

const sourceShowJson = z.strictObject({
  status: statusJson,
  notes: z.array(z.string()),
  scopes: z.record(z.string(), z.strictObject({ checked_at: z.string().nullable(), error: z.string().nullable() })),
  quarantine: z
    .strictObject({
      first_at: z.string(),
      last_at: z.string(),
      runs: z.int(),
      offers: z.int(),
      report: z.array(quarantineSchema),
    })
    .nullable(),
});

export function addSourceList(source: AdminCommand): void {
  source
    .command("list")
    .description("List all live sources")
    .examples("gpu-offers-admin source list")
    .prints(sourceListJson, list);
}

/** `source status|show`: shows the age and health of each source, or one source in full. */
export function addSourceStatus(source: AdminCommand): void {
  source
    .command("status")
    .description("Show the health and price age of each source")
    .examples(
      "gpu-offers-admin source status",
      "gpu-offers-admin source status --json | jq '.sources[] | .age_seconds'",
    )
    .prints(sourceStatusJson, status);
  source
    .command("show")
    .description("Show a live source in detail")
    .argument("<name>", "name of the source")
    .option("--quarantined", "show the changes in the quarantined run")
    .examples("gpu-offers-admin source show vast", "gpu-offers-admin source show vast --quarantined")
    .prints(sourceShowJson, show);
}

async function list() {
  const { settings, secrets } = readLiveSettings();
  const enabled = await listEnabled();
  const sources = liveSources.map((source) => ({
    name: source.name,
    title: source.title,
    kind: source.kind,
    keyless: isKeyless(source),
    verified: isVerified(source),
    recorded_at: source.recordedAt,
    enabled: settings.of(source).enabled ?? enabled.has(source.name),
    missing_key: secrets.missing(source) ?? null,
    interval_seconds: settings.of(source).intervalSeconds,
    currency: source.currency,
    stock: stockOf(source, Object.keys(secrets.of(source)).length > 0),
    homepage: source.homepage,
  }));
  const text = formatTable(
    {
      NAME: "name",
      KIND: "kind",
      ENABLED: (source) => (source.enabled ? "yes" : "no"),
      KEY: (source) => (source.keyless ? "none" : keyOf(source.name, source.missing_key)),
      EVERY: ({ interval_seconds: seconds }) => formatDuration(seconds),
      STOCK: "stock",
      NOTE: noteOf,
    },
    sources,
    ["NOTE"],
  );
  return { json: { sources }, text };
}

function keyOf(name: string, missing: string | null): string {
  const { secrets } = getLiveSource(name);
  return secrets.length === 0 ? "none" : missing === null ? "set" : `needs ${secrets.join(" and ")}`;
}

function noteOf({
  verified,
  recorded_at: recordedAt,
  currency,
  kind,
  homepage,
}: z.output<typeof sourceListJson>["sources"][number]): string {
  return [
    ...(verified ? [] : [recordedAt === null ? "unverified" : `unverified since ${recordedAt}`]),
    ...(currency === "USD" ? [] : [`prices in ${currency}`]),
    ...(kind === "feed" ? [`collected by ${homepage}`] : []),
  ].join("; ");
}

/** Names of enabled sources; none if there is no database yet. */
async function listEnabled(): Promise<Set<string>> {
  const facts = await withReader(readSourceFacts).catch((error: unknown) => {
    if (!(error instanceof NoDatabaseError)) {
      throw error;
    }
    return undefined;
  });
  return new Set(facts?.sources.filter(({ isEnabled }) => isEnabled).map(({ name }) => name));
}

async function status() {
  const nowMs = Date.now();
  const { described, running, notes } = await withSnapshot(async (database) => {
    const facts = await readSourceFacts(database);
    return {
      described: describeSources(facts, await countOffers(database), nowMs),
      running: listRunning(facts, nowMs),
      notes: new Map(facts.sources.map((source) => [source.name, source.notes])),
    };
  });
  const sources = described.map((source) => toJson(source, nowMs, notes.get(source.name)));
  const table = formatTable(
    {
      SOURCE: sourceCell,
      STATE: ({ state }) => state.replaceAll("_", " "),
      AGE: ({ age_seconds: age }) => (age === null ? "unknown" : formatDuration(age)),
      OFFERS: "offers",
      STOCK: "stock",
      "LAST SEEN": ({ last_offered_at: at }) => ageOf(at, nowMs),
      "IN STOCK": ({ last_in_stock_at: at }) => ageOf(at, nowMs),
      "NEXT RUN": ({ name, next_run_at: at }) => (running.has(name) ? "running" : nextRun(at, nowMs)),
      PROBLEM: ({ error, warnings }) => error?.message ?? warnings.join(" "),
    },
    sources,
    ["PROBLEM"],
  );
  const hint = `The catalog has no sources yet. Get live prices: ${invocation("source", "enable", "--keyless")}`;
  return { json: { sources }, text: sources.length === 0 ? hint : table };
}

function ageOf(at: string | null, nowMs: number): string {
  return at === null ? "-" : `${formatDuration((nowMs - Date.parse(at)) / 1_000)} ago`;
}

/** The source, and the name of its provider in the catalog if that is another one. */
function sourceCell({ name, kind, providers }: z.output<typeof statusJson>): string {
  const others = kind === "feed" ? [] : providers.filter((provider) => provider !== name);
  return others.length === 0 ? name : `${name} (${others.join(", ")})`;
}

/** When a run is planned, such as `in 5 min`; runs start within seconds, so a longer delay is `overdue 11 min`. */
function nextRun(at: string | null, nowMs: number): string {
  if (at === null) {
    return "-";
  }
  const seconds = (Date.parse(at) - nowMs) / 1_000;
  return seconds > -OVERDUE_SECONDS ? `in ${formatDuration(seconds)}` : `overdue ${formatDuration(-seconds)}`;
}

async function show(name: string, options: { quarantined?: true }) {
  const source = getLiveSource(name);
  const nowMs = Date.now();
  const [stored, described, quarantine] = await withSnapshot(async (database) => {
    const found = await findStoredSource(database, source.name);
    if (found === undefined) {
      throw new CommandFailure(`${name} was never enabled. Enable it: ${invocation("source", "enable", name)}`);
    }
    const facts = await readSourceFacts(database);
    const offers = await countOffers(database);
    return [found, describeSource(found, facts, offers, nowMs), await findQuarantine(database, source.name)] as const;
  });
  const result = {
    status: toJson(described, nowMs, stored.notes),
    notes: stored.notes,
    scopes: stored.scopes,
    quarantine: quarantine ?? null,
  };
  return { json: result, text: options.quarantined === true ? quarantineText(quarantine, name) : fieldsText(result) };
}

function fieldsText({ status: source, notes, scopes, quarantine }: z.output<typeof sourceShowJson>): string {
  const age = source.age_seconds === null ? "unknown" : formatDuration(source.age_seconds);
  const fields: [string, string][] = [
    ["source", source.name],
    ["kind", source.kind],
    ["state", source.state],
    ["age", age],
    ["checked", source.checked_at ?? "never"],
    ["offers", formatCount(source.offers)],
    ["providers", source.providers.join(", ") || "-"],
    ["stock", source.stock],
    ["next run", source.next_run_at ?? "-"],
    ["problem", source.error?.message ?? "-"],
    ...notes.map((note): [string, string] => ["note", note]),
    ...Object.entries(scopes)
      .filter(([, { error }]) => error !== null)
      .map(([scope, { error, checked_at: at }]): [string, string] => [
        scope,
        `${error} Last confirmed: ${at ?? "never"}`,
      ]),
  ];
  const hint =
    quarantine === null ? "" : `\n\nIts quarantined run: ${invocation("source", "show", source.name, "--quarantined")}`;
  return `${formatFields(fields)}${hint}`;
}

function quarantineText(quarantine: StoredQuarantine | undefined, name: string): string {
  if (quarantine === undefined) {
    return "This source has no quarantined run.";
  }
  const { first_at, last_at, runs, report } = quarantine;
  return [
    runs === 1 ? `Quarantined run at ${first_at}` : `${runs} quarantined runs, from ${first_at} to ${last_at}`,
    ...report.map(formatQuarantine),
    `If this is right, accept it: ${invocation("source", "accept", name)}`,
  ].join("\n");
}

function toJson(source: SourceStatus, nowMs: number, notes: readonly string[] = []): z.output<typeof statusJson> {
  const { checkedAt: checked_at, pricesAsOf: prices_as_of, nextRunAt: next_run_at, ...others } = source;
  const { lastOfferedAt: last_offered_at, lastInStockAt: last_in_stock_at, ...same } = others;
  const seconds = prices_as_of === null ? null : Math.floor((nowMs - Date.parse(prices_as_of)) / 1_000);
  const age_seconds = seconds === null || Number.isNaN(seconds) ? null : Math.max(0, seconds);
  const warnings = notes.filter(isWarning);
  return { ...same, checked_at, last_offered_at, last_in_stock_at, prices_as_of, age_seconds, warnings, next_run_at };
}
