import type { Command } from "commander";
import { countByProvider, findRevision, listRevisions } from "../store/catalog.store.js";
import type { Database } from "../store/database.js";
import { withSnapshot } from "./admin-database.js";
import { print } from "./output.js";
import { formatTable } from "./table.js";

const REVISIONS_SHOWN = 5;

/** `catalog status`: what is served now, and what the last imports did. */
export function addCatalogStatus(catalog: Command): void {
  catalog
    .command("status")
    .description("what the catalog holds, and what the last imports did")
    .option("--json", "print it as JSON")
    .addHelpText("after", "\nExample:\n  catalog status --json | jq .current.revision")
    .exitOverride()
    .action(run);
}

type Status = Awaited<ReturnType<typeof readStatus>>;

async function readStatus(database: Database) {
  return {
    current: (await findRevision(database)) ?? null,
    providers: await countByProvider(database),
    revisions: await listRevisions(database, REVISIONS_SHOWN),
  };
}

async function run(options: { json?: true }): Promise<void> {
  const status = await withSnapshot(readStatus);
  print(status, options, () => format(status));
}

function format({ current, providers, revisions }: Status): string {
  if (current === null) {
    return "The catalog is empty. The first start fills it with the starter catalog; catalog import does too.";
  }
  const offers = providers.reduce((sum, provider) => sum + provider.offers, 0);
  return [
    `Revision ${current.revision} of ${current.createdAt}: ${offers.toLocaleString("en-US")} offers of ${providers.length} providers`,
    "",
    formatTable([
      ["PROVIDER", "TYPE", "OFFERS", "AVAILABLE", "IMAGES", "AS OF"],
      ...providers.map((row) => [row.name, row.type, row.offers, row.available, row.images, row.asOf ?? "-"]),
    ]),
    "",
    formatTable([
      ["REVISION", "MADE", "ADDED", "CHANGED", "REMOVED", "REFUSED", "BY"],
      ...revisions.map((row) => [
        row.revision,
        row.created_at,
        row.added,
        row.changed,
        row.removed,
        row.refused,
        row.cause,
      ]),
    ]),
  ].join("\n");
}
