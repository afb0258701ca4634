import * as z from "zod";
import { providerKey } from "@gpu-offers/domain";
import { DISK_PROVIDERS, diskProducts } from "@gpu-offers/sources";
import { removeProvider } from "@gpu-offers/store/catalog-removal";
import { countByProvider, findRevision, listRevisions } from "@gpu-offers/store/catalog.store";
import type { Database } from "@gpu-offers/store/database";
import { withDatabase, withReader, withSnapshot } from "./admin-database.js";
import { addCatalogCheck } from "./catalog-check.js";
import { addCatalogExport } from "./catalog-export.js";
import { addCatalogHistory } from "./catalog-history.js";
import { addCatalogImport } from "./catalog-import.js";
import { CommandFailure, type AdminCommand, type Outcome } from "./command.js";
import { invocation } from "./invocation.js";
import { counted, formatTable } from "./table.js";

const REVISIONS_SHOWN = 5;

export const catalogStatusJson = z.strictObject({
  current: z
    .strictObject({
      revision: z.int(),
      mark: z.string().describe("distinguishes this catalog from the same revision of another database"),
      created_at: z.iso.datetime(),
    })
    .nullable(),
  providers: z.array(
    z.strictObject({
      name: z.string(),
      type: z.string(),
      offers: z.int(),
      available: z.int(),
      priced: z.int().describe("whose price with the smallest disk is known"),
      images: z.int(),
      as_of: z.string().nullable().describe("date of the prices, as the source states it"),
    }),
  ),
  revisions: z
    .array(
      z.strictObject({
        revision: z.int(),
        mark: z.string(),
        created_at: z.iso.datetime(),
        added: z.int(),
        changed: z.int(),
        removed: z.int(),
        rejected: z.int(),
        cause: z.string(),
      }),
    )
    .describe("newest first"),
});

const catalogDisksJson = z.strictObject({
  providers: z.array(
    z.strictObject({
      name: z.string(),
      offers: z.int(),
      priced: z.int().describe("offers whose price with the smallest disk is known"),
      product: z.string().nullable().describe("disks of facts/disks.csv; null if each offer states its own"),
      price: z.string().nullable().describe("price of a GB and month"),
      as_of: z.string().nullable().describe("date of that price"),
      unknown: z.string().nullable().describe("what no source that can be cited states"),
    }),
  ),
});

const catalogRemoveJson = z.strictObject({
  outcome: z.enum(["removed", "dry_run"]),
  provider: z.string(),
  removed: z.int().describe("number of offers"),
  revision: z.int().describe("current revision of the catalog"),
});

/** `catalog`: manages what the service serves. */
export function addCatalogCommands(program: AdminCommand): void {
  const catalog = program.command("catalog").description("Manage the offers, providers and images that are served");
  addCatalogImport(catalog);
  catalog
    .command("status")
    .description("Show the current catalog and recent imports")
    .examples("gpu-offers-admin catalog status", "gpu-offers-admin catalog status --json | jq .current.revision")
    .prints(catalogStatusJson, showStatus);
  addCatalogCheck(catalog);
  catalog
    .command("disks")
    .description("Show each provider's disks and their prices")
    .examples("gpu-offers-admin catalog disks")
    .prints(catalogDisksJson, showDisks);
  addCatalogExport(catalog);
  addCatalogHistory(catalog);
  catalog
    .command("remove")
    .description("Remove a provider with its images and offers")
    .requiredOption("--provider <name>", "name of the provider")
    .option("--dry-run", "show what would be removed, without changing anything")
    .examples(
      "gpu-offers-admin catalog remove --provider aws --dry-run",
      "gpu-offers-admin catalog remove --provider aws",
    )
    .prints(catalogRemoveJson, remove);
}

type Status = z.infer<typeof catalogStatusJson>;

async function showStatus() {
  const status = await withSnapshot(async (database): Promise<Status> => {
    const current = (await findRevision(database)) ?? null;
    const providers = await countByProvider(database);
    return { current, providers, revisions: await listRevisions(database, REVISIONS_SHOWN) };
  });
  return { json: status, text: format(status) };
}

function format({ current, providers, revisions }: Status): string {
  if (current === null) {
    return `The catalog is empty. Start the service to load the starter catalog, or import a file: ${invocation("catalog", "import", "--help")}`;
  }
  const offers = providers.reduce((sum, provider) => sum + provider.offers, 0);
  return [
    `Revision ${current.revision} of ${current.created_at}: ${counted(offers, "offer")} from ${counted(providers.length, "provider")}`,
    "",
    formatTable(
      {
        PROVIDER: "name",
        TYPE: "type",
        OFFERS: "offers",
        AVAILABLE: "available",
        PRICED: "priced",
        IMAGES: "images",
        "AS OF": "as_of",
      },
      providers,
    ),
    "",
    formatTable(
      {
        REVISION: "revision",
        CREATED: "created_at",
        ADDED: "added",
        CHANGED: "changed",
        REMOVED: "removed",
        REJECTED: "rejected",
        BY: "cause",
      },
      revisions,
      ["BY"],
    ),
  ].join("\n");
}

async function showDisks() {
  const known = await withReader(countByProvider);
  const listed = new Set(known.map(({ name }) => providerKey(name)));
  const unlisted = DISK_PROVIDERS.filter((key) => !listed.has(key)).map((name) => ({ name, offers: 0, priced: 0 }));
  const providers = [...known, ...unlisted]
    .map(({ name, offers, priced }) => {
      const { product, price, asOf, unknown } = diskProducts(name);
      return { name, offers, priced, product, price, as_of: asOf, unknown };
    })
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const text = formatTable(
    {
      PROVIDER: "name",
      OFFERS: "offers",
      PRICED: "priced",
      DISK: ({ product }) => product ?? "as each offer states",
      "GB AND MONTH": "price",
      "AS OF": "as_of",
      UNKNOWN: "unknown",
    },
    providers,
    ["DISK", "UNKNOWN"],
  );
  return { json: { providers }, text };
}

async function remove(options: {
  provider: string;
  dryRun?: true;
}): Promise<Outcome<z.input<typeof catalogRemoveJson>>> {
  const { provider, dryRun = false } = options;
  const result = await (dryRun
    ? withSnapshot((database) => countOffers(database, provider))
    : withDatabase((database) => removeProvider(database, provider, `catalog remove --provider ${provider}`)));
  if (result === undefined) {
    throw new CommandFailure(`no provider ${provider}. List providers: ${invocation("catalog", "status")}`);
  }
  const offers = `${provider} with ${counted(result.removed, "offer")}`;
  return dryRun
    ? {
        json: { outcome: "dry_run", provider, ...result },
        text: `Dry run: this would remove ${offers}. Nothing was changed.`,
      }
    : {
        json: { outcome: "removed", provider, ...result },
        done: `Removed ${offers}. The catalog is now revision ${result.revision}.`,
      };
}

/** What a removal would change. Undefined if there is no such provider. */
async function countOffers(
  database: Database,
  name: string,
): Promise<{ revision: number; removed: number } | undefined> {
  const provider = (await countByProvider(database)).find((row) => row.name === name);
  return provider && { revision: (await findRevision(database))?.revision ?? 0, removed: provider.offers };
}
