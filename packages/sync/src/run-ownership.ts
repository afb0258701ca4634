import { present } from "@gpu-offers/domain";
import {
  importCatalog,
  type ImportOptions,
  type ImportReport,
  type LiveImport,
} from "@gpu-offers/store/catalog-import";
import type { Database } from "@gpu-offers/store/database";
import type { GateRule } from "@gpu-offers/store/quarantine";
import { providerOf, runOf, withOwnProvider, type CompleteRun, type OwnedRun } from "./live-run.js";
import { readingsOf } from "./run-record.js";
import { RunError } from "@gpu-offers/fetch/source-run";

// Decides which source owns which provider, and imports the offers of runs accordingly.

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

interface RunImport extends Pick<ImportOptions, "cause" | "isDryRun"> {
  /** Sources whose runs need to pass no gate. */
  accepted?: readonly string[];
  /** Called in the same transaction, after the offers are written. */
  record?: LiveImport["record"];
}

/** Imports the offers of runs in one transaction. */
export function importRuns(
  database: Database,
  owned: readonly OwnedRun[],
  { accepted = [], record = async () => {}, ...options }: RunImport,
): Promise<ImportReport> {
  return importCatalog(database, {
    ...options,
    items: owned.flatMap(({ items }) => items),
    gates: (provider) => gateRuleOf(present(runOf(owned, provider)), provider, accepted),
    live: {
      sourceOf: (provider) => present(runOf(owned, provider)).run.source.name,
      readingsOf: (provider) => readingsOf(present(runOf(owned, provider)).run),
      scopesOf: (provider) => present(runOf(owned, provider)).run.result.completeScopes,
      emptied: owned.flatMap(({ emptied }) => emptied),
      // Offers of failed scopes are kept.
      keptScopes: owned
        .map(({ run }) => ({ source: run.source.name, scopes: [...run.result.failedScopes.keys()] }))
        .filter(({ scopes }) => scopes.length > 0),
      record,
    },
  });
}

/** The gates for a provider; undefined for none. */
function gateRuleOf(
  { run, emptied, ownProviders }: OwnedRun,
  provider: string,
  accepted: readonly string[],
): GateRule | undefined {
  // The operator decides which providers a source has, so an emptied one is plausible.
  if (accepted.includes(run.source.name) || emptied.includes(provider)) {
    return undefined;
  }
  return { kind: run.settings.gates, mayBeEmpty: run.source.mayBeEmpty, isComparable: ownProviders.has(provider) };
}
