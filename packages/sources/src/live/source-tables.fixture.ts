import type { LiveSource } from "./live-source.js";
import { liveSources } from "./live-sources.js";

// The tables of docs/sources.md, as the registry says them. A test compares them with the page.

/** Rows of a table, starting with its header; each cell is Markdown. */
export type Table = readonly (readonly string[])[];

/** Who sells, what a source needs, and how often it is requested. */
export function overview(): Table {
  const header = ["source", "provider", "kind", "key", "stock", "interval", "built against"];
  return [header, ...liveSources.map((source) => overviewRow(source))];
}

function overviewRow(source: LiveSource): string[] {
  const { name, title, homepage, kind, intervalSeconds, verified } = source;
  const built = verified ? "recorded responses" : "documentation only (unverified)";
  return [
    `\`${name}\``,
    `[${title}](${homepage})`,
    kind,
    keyOf(source),
    basisOf(source),
    intervalOf(intervalSeconds),
    built,
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
  return optionalSecrets.length > 0 ? `optional: ${names(optionalSecrets)}` : "none";
}

function intervalOf(seconds: number): string {
  return seconds >= 3600 ? `${seconds / 3600} h` : `${seconds / 60} min`;
}

/** What the responses contain. */
export function contents(): Table {
  return [
    ["source", "unit of prices", "includes", "doesn't include"],
    ...liveSources.map(({ name, unit, includes, omits }) => [`\`${name}\``, unit, includes, omits]),
  ];
}

/** The terms of use. */
export function terms(): Table {
  return [["source", "terms of use"], ...liveSources.map((source) => [`\`${source.name}\``, source.terms])];
}
