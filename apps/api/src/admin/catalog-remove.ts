import type { Command } from "commander";
import { removeProvider } from "../store/catalog-import.js";
import { withDatabase } from "./admin-database.js";
import { CommandFailure } from "./command-failure.js";
import { print } from "./output.js";

/** `catalog remove`: takes a provider out of the catalog. */
export function addCatalogRemove(catalog: Command): void {
  catalog
    .command("remove")
    .description("remove a provider with its images and offers")
    .requiredOption("--provider <name>", "the provider")
    .option("--json", "print the result as JSON")
    .addHelpText("after", "\nExample:\n  catalog remove --provider aws")
    .exitOverride()
    .action(run);
}

async function run(options: { provider: string; json?: true }): Promise<void> {
  const { provider } = options;
  const result = await withDatabase((database) =>
    removeProvider(database, provider, `catalog remove --provider ${provider}`),
  );
  if (result === undefined) {
    throw new CommandFailure(`there is no provider ${provider}; catalog status lists them.`);
  }
  print({ provider, ...result }, options, () => {
    const removed = result.removed.toLocaleString("en-US");
    return `Removed ${provider} with ${removed} offers. The catalog is now revision ${result.revision}.`;
  });
}
