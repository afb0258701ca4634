import type { Command } from "commander";
import * as z from "zod";
import { providerKey } from "@gpu-offers/domain";
import { DISK_PROVIDERS, diskProducts } from "@gpu-offers/sources";
import { countByProvider } from "@gpu-offers/store/catalog.store";
import { withReader } from "./admin-database.js";
import { addUsage, type JsonOption } from "./command-usage.js";
import { print } from "./output.js";
import { formatTable } from "./table.js";

/** Output of `catalog disks`. */
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

/** `catalog disks`: shows which disks the prices of each provider include. */
export function addCatalogDisks(catalog: Command): void {
  addUsage(catalog.command("disks").description("Show each provider's disks and their prices"), {
    json: catalogDisksJson,
    examples: ["gpu-offers-admin catalog disks"],
  }).action(run);
}

async function run(options: JsonOption): Promise<void> {
  const counted = await withReader(countByProvider);
  const listed = new Set(counted.map(({ name }) => providerKey(name)));
  const unlisted = DISK_PROVIDERS.filter((key) => !listed.has(key)).map((name) => ({ name, offers: 0, priced: 0 }));
  const providers = [...counted, ...unlisted]
    .map(({ name, offers, priced }) => {
      const { product, price, asOf, unknown } = diskProducts(name);
      return { name, offers, priced, product, price, as_of: asOf, unknown };
    })
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
  await print(catalogDisksJson, { providers }, options, () =>
    formatTable(
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
    ),
  );
}
