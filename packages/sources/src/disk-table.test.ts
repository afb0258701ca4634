import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { checkDisk, isAtLeast, paidDisk, providerKey, type ListedOffer } from "@gpu-offers/domain";
import { beforeAll, describe, expect, test } from "vitest";
import { diskProducts } from "./machine-disk.js";
import type { LiveContext, LiveSource } from "./live/live-source.js";
import { runRequests } from "./live/live-run.js";
import { findLiveSource } from "./live/live-sources.js";
import {
  present,
  recordedBodies,
  recordedBytes,
  recordedContext,
  readReplies,
  sourceItems,
} from "./live/recordings.fixture.js";
import { expectPage, withTable, type Table } from "./markdown-table.fixture.js";
import { names, readCatalogs, rowsOf } from "./skypilot/catalogs.fixture.js";
import type { SourceItem } from "./source-item.js";

// The table of disks in README.md, with how many offers of recordings and of sample files have a complete price.

const CLOUDS = "aws azure gcp oci verda scaleway digitalocean linode vultr lambda runpod vast hyperstack".split(" ");
const TABLED = [...new Set([...CLOUDS, "nebius", "crusoe", "jarvislabs", "ovhcloud"])];
const README = new URL("../README.md", import.meta.url);

/** Offers by the key of their provider. */
const offersBy = new Map<string, ListedOffer[]>();

function add(items: readonly SourceItem[]): void {
  for (const item of items) {
    if (item.kind === "offer") {
      const key = providerKey(item.offer.provider.name);
      offersBy.set(key, [...(offersBy.get(key) ?? []), { ...item.offer, listing: item.listing }]);
    }
  }
}

/** What a source reads from a recorded body, with the recorded exchange rate. */
async function readRecorded(source: LiveSource, path: string) {
  const context: LiveContext = { ...recordedContext, settings: { convert: "ecb" } };
  let isMainRead = false;
  const { replies } = await runRequests(source, context, async (request) => {
    const isFirst = request.main && !isMainRead;
    isMainRead ||= request.main;
    const file = request.part === "ecb" ? "live/ecb/exchange-rates-2026-08-13.json" : isFirst ? path : undefined;
    return file === undefined
      ? { request, failure: "It is not recorded.", missing: true }
      : { request, status: 200, headers: {}, body: recordedBytes(file) };
  });
  return sourceItems(await readReplies(source, replies, context));
}

describe.skipIf(!present)("disks of recordings and sample files", () => {
  beforeAll(async () => {
    for (const { source: name, path } of recordedBodies) {
      const source = findLiveSource(name);
      add(source === undefined ? [] : await readRecorded(source, path));
    }
    await readCatalogs();
    add(names.flatMap((name) => rowsOf(name).map(({ item }) => item)));
  });

  const isComplete = (offer: ListedOffer) => !isAtLeast(offer, paidDisk(offer));
  const of = (cloud: string) => offersBy.get(providerKey(cloud)) ?? [];

  test("of 100 offers, 95 have a complete price with their smallest disk", () => {
    const offers = CLOUDS.flatMap(of);
    expect(CLOUDS.filter((cloud) => of(cloud).length === 0)).toEqual([]);
    expect(offers.filter(isComplete).length / offers.length).toBeGreaterThanOrEqual(0.95);
  });

  test("all offers can have a larger disk than their smallest", () => {
    const fixed = CLOUDS.flatMap(of).filter((offer) => !checkDisk(offer, paidDisk(offer) + 10).ok);
    // Vast's hosts may have no space left.
    expect(
      fixed
        .filter(({ provider }) => provider.name !== "vast")
        .map(({ provider, region }) => `${provider.name} ${region}`),
    ).toEqual([]);
  });

  test("match the README's table", async () => {
    const counted = (list: readonly unknown[]) => list.length.toLocaleString("en-US");
    const rows = TABLED.map((cloud) => {
      const { product, price, asOf, unknown } = diskProducts(cloud);
      const offers = of(cloud);
      const complete = offers.length === 0 ? null : `${counted(offers.filter(isComplete))} of ${counted(offers)}`;
      return [cloud, product ?? "as each offer states", price, asOf, complete, unknown].map((cell) => cell ?? "-");
    });
    const head = ["cloud", "disk", "a GB and month", "as of", "complete prices", "unknown, because unverified"];
    const table: Table = [head, ...rows];
    const page = withTable(readFileSync(README, "utf8"), "disks", table);
    await expectPage(page, fileURLToPath(README), "vitest run --project sources disk-table -u");
  });
});
