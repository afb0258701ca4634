import { RunError } from "@gpu-offers/fetch/source-run";
import { importCatalog } from "@gpu-offers/store/catalog-import";
import type { Database } from "@gpu-offers/store/database";
import { emptyResult, sumOfImages, type FinishedRun, type RunResult } from "./live-run.js";
import { readingsOf } from "./run-record.js";
import { gateRuleOf, keptScopesOf, ownershipError, withoutForeignProviders } from "./run-ownership.js";

/** What applying each run by itself would change. It changes nothing. */
export async function dryRun(database: Database, runs: readonly FinishedRun[]): Promise<RunResult[]> {
  const results: RunResult[] = [];
  for (const run of runs) {
    results.push(await dryRunOne(database, run));
  }
  return results;
}

async function dryRunOne(database: Database, run: FinishedRun): Promise<RunResult> {
  const { result } = run;
  if (result instanceof RunError) {
    const { code, message } = result;
    return emptyResult(run, "failed", { code, message });
  }
  const owned = await withoutForeignProviders(database, [{ ...run, result }]);
  const [foreign] = owned.map(ownershipError);
  if (foreign !== undefined) {
    return emptyResult(run, "failed", { code: foreign.code, message: foreign.message });
  }
  const { outcome, added, changed, removed, changes, problem, quarantined } = await importCatalog(database, {
    items: owned.flatMap(({ items }) => items),
    cause: "dry run",
    isDryRun: true,
    gates: (provider) => gateRuleOf(owned, provider, []),
    live: {
      sourceOf: () => run.source.name,
      readingsOf: () => readingsOf(run.source, { at: "", secretsFingerprint: "" }, result),
      emptied: owned.flatMap(({ emptied }) => emptied),
      keptScopes: keptScopesOf(owned),
      record: async () => {},
    },
  });
  if (outcome === "quarantined" || outcome === "rejected") {
    const error = { code: outcome, message: problem ?? "" };
    return { ...emptyResult(run, outcome === "rejected" ? "failed" : "quarantined", error), quarantined };
  }
  const images = sumOfImages(changes);
  return { ...emptyResult(run, outcome === "unchanged" ? "unchanged" : "applied"), added, changed, removed, images };
}
