import type { Command } from "commander";
import { countByProvider, findRevision, listRevisions } from "../store/catalog.store.js";
import { withSnapshot } from "./admin-database.js";
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

async function run(options: { json?: true }): Promise<void> {
  const status = await withSnapshot(async (database) => ({
    current: (await findRevision(database)) ?? null,
    providers: await countByProvider(database),
    revisions: await listRevisions(database, REVISIONS_SHOWN),
  }));
  if (options.json === true) {
    process.stdout.write(`${JSON.stringify(status, null, 2)}\n`);
    return;
  }
  const { current, providers, revisions } = status;
  if (current === null) {
    process.stdout.write(
      "The catalog is empty. The first start fills it with the starter catalog; catalog import does too.\n",
    );
    return;
  }
  const offers = providers.reduce((sum, provider) => sum + provider.offers, 0);
  const lines = [
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
  ];
  process.stdout.write(`${lines.join("\n")}\n`);
}
