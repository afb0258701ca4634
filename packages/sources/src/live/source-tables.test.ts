import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { providerKey } from "@gpu-offers/domain";
import { test } from "vitest";
import { expectPage, withTable, type Table } from "../markdown-table.fixture.js";
import { isKeyless, isVerified, type LiveSource } from "./live-source.js";
import { liveSources } from "./live-sources.js";

// The tables about live sources in README.md and docs/sources.md, as the registry states them. Run with -u to generate them.

/** The tables are of the newest recording's day, so that they don't change with time alone. */
const NOW_MS = Math.max(...liveSources.map(({ recordedAt }) => Date.parse(recordedAt ?? "2026")));

/** Who sells, what a source needs, and how often it is requested. */
function overview(): Table {
  const header = ["source and provider", "kind", "key", "stock", "interval", "verified"];
  return [header, ...liveSources.map((source) => overviewRow(source))];
}

function overviewRow(source: LiveSource): string[] {
  const { name, title, homepage, kind, intervalSeconds, recordedAt } = source;
  return [
    `\`${name}\`, [${title}](${homepage})`,
    kind,
    keyOf(source),
    basisOf(source),
    intervalOf(intervalSeconds),
    recordedAt === null ? "no" : isVerified(source, NOW_MS) ? recordedAt : `no: ${recordedAt}`,
  ];
}

function basisOf({ stock, stockNeedsSecret }: LiveSource): string {
  return stockNeedsSecret === true ? `${stock} with a key` : stock;
}

function keyOf({ secrets, optionalSecrets }: LiveSource): string {
  const names = (list: readonly string[]) => list.map((name) => `\`${name}\``).join(", ");
  if (secrets.length > 0) {
    return names(secrets);
  }
  return optionalSecrets.length > 0 ? `optional: ${names(optionalSecrets)}` : "";
}

function intervalOf(seconds: number): string {
  return seconds >= 3600 ? `${seconds / 3600} h` : `${seconds / 60} min`;
}

/** What the responses contain. */
function contents(): Table {
  return [
    ["source", "includes", "doesn't include"],
    ...liveSources.map(({ name, includes, omits }) => [`\`${name}\``, includes, omits]),
  ];
}

/** The terms of use, and the sources that have them. */
function terms(): Table {
  const sourcesOf = Map.groupBy(liveSources, (source) => source.terms);
  return [
    ["terms of use", "sources"],
    ...[...sourcesOf].map(([text, sources]) => [text, sources.map(({ name }) => `\`${name}\``).join(", ")]),
  ];
}

/** How the prices of each cloud get here, for README.md. The numbers in brackets are offers in the starter catalog. */
function origins(): Table {
  const own = liveSources.filter(({ kind }) => kind !== "feed");
  const feeds = liveSources.filter(({ kind }) => kind === "feed");
  const byHand = own.filter(
    (source) => isVerified(source, NOW_MS) && source.secrets.length === 0 && !isKeyless(source, NOW_MS),
  );
  const rows: [string, readonly LiveSource[]][] = [
    ["their API, enabled by `--keyless`", own.filter((source) => isKeyless(source, NOW_MS))],
    ["their API, with your key", own.filter((source) => isVerified(source, NOW_MS) && source.secrets.length > 0)],
    ["their API, in euros: needs `convert`", byHand],
    ["their API, unverified", own.filter((source) => !isVerified(source, NOW_MS))],
  ];
  const known = sourcedProviders();
  const others = [...starterOffers()].filter(([name]) => !known.has(providerKey(name)));
  return [
    ["prices come from", "number", "providers (offers in the starter catalog)", "updated"],
    ...rows.map(([origin, sources]) =>
      originRow(
        origin,
        sources,
        sources.map(({ name }) => name),
      ),
    ),
    ...feeds.map((feed) =>
      originRow(
        `the \`${feed.name}\` feed${isVerified(feed, NOW_MS) ? "" : ", unverified"}`,
        [feed],
        feed.scopes?.defaults ?? [],
      ),
    ),
    [
      "a file that you import",
      String(others.length),
      `${others.map(([name, count]) => `${name} (${count})`).join(", ")}, and any other cloud`,
      "when you import",
    ],
  ];
}

/** Keys of the providers that sources read. */
function sourcedProviders(sources: readonly LiveSource[] = liveSources): ReadonlySet<string> {
  const names = sources.flatMap(({ kind, name, scopes }) => (kind === "feed" ? (scopes?.defaults ?? []) : [name]));
  return new Set(names.map(providerKey));
}

/** Number of providers that verified sources read, for README.md. */
function countProviders(): number {
  return sourcedProviders(liveSources.filter((source) => isVerified(source, NOW_MS))).size;
}

/** Number of providers whose texts for a tool are proven, by the table of docs/launch.md. */
function countProven(tool: string): string {
  const page = readFileSync(new URL("../../../../docs/launch.md", import.meta.url), "utf8");
  const [, providers = ""] = new RegExp(`^\\| ${tool} [^|]*\\| proven +\\| (.*?) +\\|$`, "m").exec(page) ?? [];
  return String(providers.split(", ").length);
}

function originRow(origin: string, sources: readonly LiveSource[], names: readonly string[]): readonly string[] {
  const seconds = sources.map(({ intervalSeconds }) => intervalSeconds).toSorted((a, b) => a - b);
  const intervals = [...new Set([seconds[0] ?? 0, seconds.at(-1) ?? 0])].map(intervalOf).join(" to ");
  return [origin, String(names.length), names.map(withOffers).toSorted().join(", "), intervals];
}

/** `linode (14, as akamai)`. */
function withOffers(source: string): string {
  const [name, count] = [...starterOffers()].find(([provider]) => providerKey(provider) === providerKey(source)) ?? [];
  return name === undefined ? source : `${source} (${count}${name === source ? "" : `, as ${name}`})`;
}

const STARTER = new URL("../../../../apps/api/catalog/starter.json", import.meta.url);

function starterOffers(): Map<string, number> {
  const { offers } = JSON.parse(readFileSync(STARTER, "utf8")) as { offers: { provider: string }[] };
  const names = offers.map(({ provider }) => provider).toSorted();
  return new Map([...Map.groupBy(names, (name) => name)].map(([name, all]) => [name, all.length]));
}

const pages: readonly (readonly [string, Readonly<Record<string, Table>>])[] = [
  ["README.md", { origins: origins() }],
  ["docs/sources.md", { sources: overview(), contents: contents(), terms: terms() }],
];

test.each(pages)("the tables of %s match the registry of live sources", async (path, tables) => {
  const file = fileURLToPath(new URL(`../../../../${path}`, import.meta.url));
  let page = readFileSync(file, "utf8");
  for (const [name, table] of Object.entries(tables)) {
    page = withTable(page, name, table);
  }
  page = page.replace(/(?<=from )\d+(?= providers)/, String(countProviders()));
  page = page.replace(/(?<=proof\)\sfor )\d+(?= providers)/, countProven("skypilot"));
  page = page.replace(/(?<=a dstack fleet \(for )\d+/, countProven("dstack"));
  await expectPage(page, file, "vitest run --project sources source-tables -u");
});
