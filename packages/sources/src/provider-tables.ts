import { nearNames, providerKey } from "@gpu-offers/domain";
import { instanceFamilies } from "./instance/instance-type.js";
import { NAME_RULES, STATEMENT_RULES } from "./region/provider-grammar.js";
import { liveSources } from "./live/live-sources.js";
import { productTypes } from "./providers.facts.js";
import { REGION_TABLES } from "./region/region-tables.js";
import { PROVIDERS_WITH_QUIRKS } from "./skypilot/provider-quirks.js";

/** Which of our tables apply to a provider: its regions, its instance types and the quirks of its catalogs. */
export interface ProviderTables {
  /** Name of the tables, such as `aws`; undefined if we have none for the provider. */
  name: string | undefined;
  /** The known name most similar to the provider's, if we have no tables for it. */
  nearest: string | undefined;
  /** Whether it is the name of a known cloud. Some need no tables, because their regions and types name everything. */
  isKnown: boolean;
}

/** Names of the providers that have tables. */
export const TABLE_NAMES: ReadonlySet<string> = new Set(
  [
    ...REGION_TABLES.keys(),
    ...instanceFamilies.keys(),
    ...STATEMENT_RULES.keys(),
    ...NAME_RULES.keys(),
    ...PROVIDERS_WITH_QUIRKS,
  ].toSorted(),
);

/** The tables that apply to a provider of that name: `digitalocean` has those of `do`, `my-aws` has none. */
export function findTables(provider: string): ProviderTables {
  const name = providerKey(provider);
  return TABLE_NAMES.has(name)
    ? { name, nearest: undefined, isKnown: true }
    : { name: undefined, nearest: nearestTables(provider.toLowerCase()), isKnown: KNOWN_CLOUDS.has(name) };
}

const KNOWN_CLOUDS: ReadonlySet<string> = new Set([
  ...liveSources
    .flatMap(({ kind, name, scopes }) => (kind === "feed" ? (scopes?.defaults ?? []) : [name]))
    .map(providerKey),
  ...productTypes,
]);

function nearestTables(provider: string): string | undefined {
  const words = new Set(provider.split(/[^a-z0-9]+/).map(providerKey));
  return [...TABLE_NAMES].find((name) => words.has(name)) ?? nearNames(provider, TABLE_NAMES)[0];
}
