import type { Database } from "@gpu-offers/store/database";
import type { GateRule } from "@gpu-offers/store/quarantine";
import { providerOf, runOf, withOwnProvider, type CompleteRun, type OwnedRun } from "./live-run.js";
import { RunError } from "@gpu-offers/fetch/source-run";

// Decides which source owns which provider, and what follows for its offers.

/** Drops providers owned by another enabled source; otherwise two sources would replace each other's offers forever. */
export async function withoutForeignProviders(database: Database, runs: readonly CompleteRun[]): Promise<OwnedRun[]> {
  const rows = await database
    .selectFrom("provider")
    .leftJoin("live_source", "live_source.name", "provider.source")
    .select(["provider.name", "provider.source", "live_source.is_enabled as isEnabled"])
    .execute();
  const owner = new Map(rows.flatMap((row) => (row.isEnabled === 1 ? [[row.name, row.source]] : [])));
  // A provider's own API takes precedence over feeds.
  const ordered = [...runs].sort((a, b) => Number(a.source.kind === "feed") - Number(b.source.kind === "feed"));
  return ordered.map((run) => {
    const { name } = run.source;
    const mine = new Set<string>();
    const foreign = new Map<string, string>();
    const items = withOwnProvider(run).filter((item) => {
      const provider = providerOf(item);
      if (provider === undefined) {
        return true;
      }
      const other = owner.get(provider) ?? name;
      if (other !== name) {
        foreign.set(provider, other);
        return false;
      }
      owner.set(provider, name);
      mine.add(provider);
      return true;
    });
    const ownProviders = new Set(rows.filter((row) => row.source === name).map((row) => row.name));
    const emptied = [...ownProviders].filter((provider) => !mine.has(provider));
    return {
      run,
      items,
      providers: new Set([...mine, ...emptied]),
      ownProviders,
      emptied,
      foreign: mine.size === 0 ? foreign : new Map(),
    };
  });
}

/** Why a run can't be applied: other sources own all of its providers. Undefined if they don't. */
export function ownershipError({ run, foreign }: OwnedRun): RunError | undefined {
  if (foreign.size === 0) {
    return undefined;
  }
  const owners = [...foreign].map(([provider, owner]) => `${owner} owns ${provider}`).join(", ");
  const { kind, name } = run.source;
  const way = kind === "feed" ? "Give it other scopes" : "Give its provider another name";
  return new RunError("foreign_provider", `${owners}. ${way} (SOURCES_FILE), or disable ${name} or the owner.`);
}

/**
 * The gates for a provider; undefined for none.
 * @param accepted sources whose runs need to pass no gate.
 */
export function gateRuleOf(
  owned: readonly OwnedRun[],
  provider: string,
  accepted: readonly string[],
): GateRule | undefined {
  const found = runOf(owned, provider);
  // The operator decides which providers a source has, so an emptied one is plausible.
  if (found === undefined || accepted.includes(found.run.source.name) || found.emptied.includes(provider)) {
    return undefined;
  }
  const { run } = found;
  return {
    kind: run.settings.gates,
    mayBeEmpty: run.source.mayBeEmpty,
    isComparable: found.ownProviders.has(provider),
  };
}

/** The failed scopes of each run, whose offers are kept. */
export function keptScopesOf(owned: readonly OwnedRun[]): { source: string; scopes: string[] }[] {
  return owned
    .map(({ run }) => ({ source: run.source.name, scopes: [...run.result.failedScopes.keys()] }))
    .filter(({ scopes }) => scopes.length > 0);
}
