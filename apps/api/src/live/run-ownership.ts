import type { Database } from "../store/database.js";
import { providerOf, withOwnProvider, type FinishedRun, type OwnedRun } from "./live-run.js";

// Decides which source owns which provider.

/** Drops providers owned by another enabled source; otherwise two sources would replace each other's offers forever. */
export async function withoutForeignProviders(database: Database, runs: readonly FinishedRun[]): Promise<OwnedRun[]> {
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
    const items = withOwnProvider(run).filter((item) => {
      const provider = providerOf(item);
      if (provider === undefined) {
        return true;
      }
      if (!owner.has(provider)) {
        owner.set(provider, name);
      }
      const isMine = owner.get(provider) === name;
      if (isMine) {
        mine.add(provider);
      }
      return isMine;
    });
    const ownProviders = new Set(rows.filter((row) => row.source === name).map((row) => row.name));
    return { run, items, providers: mine, ownProviders };
  });
}
