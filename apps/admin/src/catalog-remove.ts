import type { Command } from "commander";
import * as z from "zod";
import { removeProvider } from "@gpu-offers/store/catalog-removal";
import { countByProvider, findRevision } from "@gpu-offers/store/catalog.store";
import type { Database } from "@gpu-offers/store/database";
import { withDatabase, withSnapshot } from "./admin-database.js";
import { CommandFailure } from "./command-failure.js";
import { addUsage, type JsonOption } from "./command-usage.js";
import { counted } from "./counted.js";
import { invocation } from "./invocation.js";
import { print } from "./output.js";

const catalogRemoveJson = z.strictObject({
  outcome: z.enum(["removed", "dry_run"]),
  provider: z.string(),
  removed: z.int().describe("number of offers"),
  revision: z.int().describe("current revision of the catalog"),
});

interface Options extends JsonOption {
  provider: string;
  dryRun?: true;
}

/** `catalog remove`: removes a provider from the catalog. */
export function addCatalogRemove(catalog: Command): void {
  addUsage(
    catalog
      .command("remove")
      .description("Remove a provider with its images and offers")
      .requiredOption("--provider <name>", "name of the provider")
      .option("--dry-run", "show what would be removed, without changing anything"),
    {
      json: catalogRemoveJson,
      examples: [
        "gpu-offers-admin catalog remove --provider aws --dry-run",
        "gpu-offers-admin catalog remove --provider aws",
      ],
    },
  ).action(run);
}

async function run(options: Options): Promise<void> {
  const { provider, dryRun = false } = options;
  const result = await (dryRun
    ? withSnapshot((database) => count(database, provider))
    : withDatabase((database) => removeProvider(database, provider, `catalog remove --provider ${provider}`)));
  if (result === undefined) {
    throw new CommandFailure(`no provider ${provider}. List providers: ${invocation("catalog", "status")}`);
  }
  const offers = `${provider} with ${counted(result.removed, "offer")}`;
  const done = `Removed ${offers}. The catalog is now revision ${result.revision}.`;
  await print(
    catalogRemoveJson,
    { outcome: dryRun ? "dry_run" : "removed", provider, ...result },
    options,
    () => (dryRun ? `Dry run: this would remove ${offers}. Nothing was changed.` : done),
    dryRun ? undefined : done,
  );
}

/** What a removal would change. Undefined if there is no such provider. */
async function count(database: Database, name: string): Promise<{ revision: number; removed: number } | undefined> {
  const provider = (await countByProvider(database)).find((row) => row.name === name);
  return provider && { revision: (await findRevision(database))?.revision ?? 0, removed: provider.offers };
}
