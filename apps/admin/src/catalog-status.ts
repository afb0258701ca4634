import type { Command } from "commander";
import * as z from "zod";
import { countByProvider, findRevision, listRevisions } from "@gpu-offers/store/catalog.store";
import type { Database } from "@gpu-offers/store/database";
import { withSnapshot } from "./admin-database.js";
import { addUsage, type JsonOption } from "./command-usage.js";
import { counted } from "./counted.js";
import { invocation } from "./invocation.js";
import { print } from "./output.js";
import { formatTable } from "./table.js";

const REVISIONS_SHOWN = 5;

/** Output of `catalog status`. */
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

/** `catalog status`: shows the current catalog and recent imports. */
export function addCatalogStatus(catalog: Command): void {
  addUsage(catalog.command("status").description("Show the current catalog and recent imports"), {
    json: catalogStatusJson,
    examples: ["gpu-offers-admin catalog status", "gpu-offers-admin catalog status --json | jq .current.revision"],
  }).action(run);
}

type Status = z.infer<typeof catalogStatusJson>;

async function readStatus(database: Database): Promise<Status> {
  const current = await findRevision(database);
  return {
    current: current ? { revision: current.revision, mark: current.mark, created_at: current.createdAt } : null,
    providers: (await countByProvider(database)).map(({ asOf, ...provider }) =>
      Object.assign(provider, { as_of: asOf }),
    ),
    revisions: await listRevisions(database, REVISIONS_SHOWN),
  };
}

async function run(options: JsonOption): Promise<void> {
  const status = await withSnapshot(readStatus);
  await print(catalogStatusJson, status, options, () => format(status));
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
