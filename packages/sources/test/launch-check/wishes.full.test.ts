import { ListingCatalog, NOT_SOLD_OUT, storageOf, withDoorDefaults, type LaunchPlan } from "@gpu-offers/domain";
import { launchPlan } from "@gpu-offers/domain/launching";
import { beforeAll, describe, expect, test } from "vitest";
import { present } from "../../src/live/recordings.fixture.ts";
import { readOffers, type OfferFrom } from "./read-offers.ts";

// Wishes in a person's words, over the offers of recorded responses and sample files, to the text that rents one.

describe.skipIf(!present)("wishes", () => {
  let offers: OfferFrom[] = [];
  let catalog = ListingCatalog.of([]);
  beforeAll(async () => {
    offers = (await readOffers()).filter(({ from }) => from !== "starter");
    catalog = ListingCatalog.of(offers.map(({ offer, listing }) => ({ offer, ...listing })));
  }, 120_000);

  /** What a search finds, as by --first, `/api/v2/plan` and agents, and the plan of the best. */
  function wish(q: string): {
    found: ReturnType<typeof search>;
    best: OfferFrom | undefined;
    plan: LaunchPlan | undefined;
  } {
    const found = search(q);
    const best = offers[found.positions[0] ?? -1];
    const { disk: diskGb, hours, fits, spot } = found.query;
    const choice = { diskGb, hours, fits, isSpot: spot !== undefined };
    const plan = best && launchPlan({ offer: best.offer, ...best.listing }, best.images, choice);
    return { found, best, plan };
  }

  function search(q: string) {
    const asked = withDoorDefaults({ q, sort_by: "total", availability: NOT_SOLD_OUT });
    const { query, selection, understood } = catalog.prepare(asked);
    const { positions, total } = catalog.select(selection, { page: 0, size: 1 });
    return { query, understood, total, positions: [...positions], near: catalog.nearTo(q, selection) };
  }

  test("spot A100 80GB in AWS us-east-1: AWS states no such price, which is said, with searches that find something", () => {
    const { found } = wish("spot A100 80GB in AWS us-east-1");
    expect(found.total).toBe(0);
    expect(found.understood).toContainEqual(
      expect.objectContaining({ text: "spot", doubt: "no offer here that matches the rest has one" }),
    );
    const texts = found.near.map(({ text }) => text);
    expect(texts).toEqual(expect.arrayContaining(["spot A100 in AWS us-east-1", "A100 80GB in AWS us-east-1"]));
    const { best, plan } = wish("spot A100 in AWS us-east-1, 500 GB disk");
    expect(best).toMatchObject({ offer: { region: /^us-east-1/ }, listing: { spot: { kind: "price" } } });
    const [sky] = plan?.launch ?? [];
    expect(sky?.text).toMatch(
      /infra: aws\/us-east-1[^]*instance_type: p4d.24xlarge[^]*disk_size: 500[^]*use_spot: true/,
    );
  });

  test("cheapest that runs Llama 3.1 70B for a weekend with its weights on disk", () => {
    const { found, best, plan } = wish("cheapest that runs Llama 3.1 70B for a weekend with its weights on disk");
    expect(found.query).toMatchObject({ fits: "70b", hours: 48, disk: 168 });
    expect(found.understood.filter(({ doubt, nearest }) => doubt ?? nearest)).toEqual([]);
    const { gpu, gpuCount } = best?.offer ?? { gpu: { vramGB: 0 }, gpuCount: 0 };
    expect(gpu.vramGB * gpuCount).toBeGreaterThan(140);
    expectDisk(plan, best, 168);
    expect(plan?.total?.forHours).toBeCloseTo((plan?.total?.hourly ?? 0) * 48, 4);
  });

  test("8x H100 in Europe, 1 TB, below 25 $ an hour", () => {
    const { found, best, plan } = wish("8x H100 in Europe, 1 TB, below 25 $ an hour");
    expect(found.query).toMatchObject({ disk: 1000 });
    expect(best?.offer).toMatchObject({ gpuCount: 8, regionInfo: { continent: "Europe" } });
    expect(best?.offer.gpu.slug).toMatch(/^h100/);
    expect(best?.offer.priceHourly).toBeLessThan(25);
    expectDisk(plan, best, 1000);
  });

  /** Each text that can state a disk has the wished one; otherwise the machine includes at least as much. */
  function expectDisk(plan: LaunchPlan | undefined, best: OfferFrom | undefined, diskGb: number): void {
    expect(plan).toMatchObject({ problems: [] });
    const includedGb = best && storageOf({ ...best.offer, storage: best.listing.storage }).includedGb;
    const texts = plan?.launch.map(({ text }) => text) ?? [];
    expect(texts.length).toBeGreaterThan(0);
    expect(plan?.diskGb ?? includedGb).toBeGreaterThanOrEqual(diskGb);
    const stated = plan?.diskGb == null ? "" : String(plan.diskGb);
    expect(texts.filter((text) => !text.includes(stated))).toEqual([]);
  }
});
