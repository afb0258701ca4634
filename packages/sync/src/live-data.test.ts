import { UNKNOWN_LISTING_FACTS } from "@gpu-offers/domain";
import { liveSources, type LiveSource } from "@gpu-offers/sources";
import { linodeReplay } from "@gpu-offers/testkit/linode-server";
import { json, startReplay, type Replay, type ReplayServer } from "@gpu-offers/testkit/replay-server";
import { tempDatabase } from "@gpu-offers/testkit/temp-folder";
import { beforeEach, describe, expect, test } from "vitest";
import { open } from "@gpu-offers/store/test/databases";
import { importCatalog } from "@gpu-offers/store/catalog-import";
import type { Database } from "@gpu-offers/store/database";
import { LiveSettingsFile } from "@gpu-offers/fetch/live-settings";
import type { RunResult } from "./live-run.js";
import { testEngine } from "../test/engine.ts";
import { testOffer } from "@gpu-offers/testkit/live-source";
import { saveSource } from "@gpu-offers/store/live.store";
import type { OfferItem } from "@gpu-offers/fetch/source-run";

// Contradictory responses of real sources, over a real socket and into a real database.

let server: ReplayServer;
let database: Database;

beforeEach(async () => {
  server = await startReplay(() => ({ status: 503 }));
  database = await open(`sqlite:${tempDatabase()}`);
});

async function sync(name: string): Promise<RunResult | undefined> {
  const source = { ...(liveSources.find((one) => one.name === name) as LiveSource), spacingMs: 0 };
  const settings = new LiveSettingsFile(
    [source],
    `sources: { ${name}: { base: "${server.url}"${source.scopes === null ? "" : ", scopes: [eastus]"} } }`,
  );
  const engine = testEngine(database, [source], server.url, { settings });
  await saveSource(database, source, engine.fetcher.settingsOf(source), true);
  const run = await engine.fetch(source);
  return (await engine.apply(run === undefined ? [] : [run]))[0];
}

const stored = () => database.selectFrom("offer").selectAll().orderBy("id").execute();

describe("a contradictory response changes nothing and explains why:", () => {
  const plans = (extra: object) => ({
    plans: [
      {
        id: "vcg-l40s-16c-180g-48vram",
        gpu_type: "NVIDIA_L40S",
        gpu_vram_gb: 48,
        vcpu_count: 16,
        ram: 184_320,
        disk: 1_200,
        disk_count: 1,
        hourly_cost: 1.671,
        locations: ["ewr"],
      },
    ],
    ...extra,
  });
  const linodeTypes = (change: (body: Record<string, unknown>) => object) => (target: string) => {
    const replay = linodeReplay(target);
    const isTypes = target.includes("/linode/types") && "body" in replay;
    return isTypes ? json(change(JSON.parse(String(replay.body)) as Record<string, unknown>)) : replay;
  };
  const price = (currency: string) => ({
    BillingCurrency: currency,
    Items: [
      {
        currencyCode: currency,
        retailPrice: 98.32,
        armRegionName: "eastus",
        armSkuName: "Standard_ND96isr_H100_v5",
        meterName: "ND96isrH100v5",
        productName: "Virtual Machines NDISR H100 v5 Series",
        serviceName: "Virtual Machines",
        unitOfMeasure: "1 Hour",
        type: "Consumption",
      },
    ],
    NextPageLink: null,
  });

  const sound: Record<string, (target: string) => Replay> = {
    linode: linodeReplay,
    azure: () => json(price("USD")),
    vultr: (target) =>
      target.includes("type=vcg") ? json(plans({})) : json({ plans: [], plans_metal: [], regions: [] }),
  };

  test.for<[what: string, source: string, respond: (target: string) => Replay, said: string]>([
    [
      "circular pages",
      "vultr",
      () => json(plans({ meta: { total: 9, links: { next: "the-same", prev: "" } } })),
      "lead in a circle",
    ],
    [
      "a total that does not match the pages",
      "linode",
      linodeTypes((body) => ({ ...body, results: 9 })),
      "The pages hold 4 rows, but the response counts 9.",
    ],
    [
      "a repeated page",
      "linode",
      linodeTypes((body) => ({ ...body, pages: 2 })),
      "The pages hold 8 rows, but the response counts 4.",
    ],
    ["a price in EUR", "azure", () => json(price("EUR")), "1 of 1 GPU rows cannot be read"],
  ])("%s", async ([, name, respond, said]) => {
    server.respond(({ target }) => sound[name]?.(target) ?? { status: 404 });
    expect(await sync(name)).toMatchObject({ outcome: "applied" });
    const before = await stored();
    server.respond(({ target }) => respond(target));
    const result = await sync(name);
    expect(["failed", "quarantined"]).toContain(result?.outcome);
    expect(result?.error?.message).toContain(said);
    expect(await stored()).toEqual(before);
  });

  test("an imported provider of another name keeps it, and has live offers only", async () => {
    const items: OfferItem[] = [
      { kind: "provider", where: "start", provider: { name: "akamai", type: "vm", images: [] } },
      {
        kind: "offer",
        listing: UNKNOWN_LISTING_FACTS,
        where: "row",
        offer: testOffer("akamai", { id: "old", price: 3 }),
      },
    ];
    await importCatalog(database, { items, cause: "test" });
    server.respond(({ target }) => linodeReplay(target));
    expect(await sync("linode")).toMatchObject({ outcome: "applied", added: 4, removed: 1 });
    expect(await sync("linode")).toMatchObject({ outcome: "unchanged" });
    expect(await database.selectFrom("provider").select(["name", "source"]).execute()).toEqual([
      { name: "akamai", source: "linode" },
    ]);
    expect((await stored()).map((row) => row.provider)).toEqual(Array.from({ length: 4 }, () => "akamai"));
  });

  test("overlapping pages give each offer once", async () => {
    const twice = linodeTypes((body) => ({ ...body, pages: 2, results: 8 }));
    server.respond(({ target }) => twice(target));
    expect(await sync("linode")).toMatchObject({ outcome: "applied", added: 4, rejected: 4 });
    expect(await stored()).toHaveLength(4);
  });
});
