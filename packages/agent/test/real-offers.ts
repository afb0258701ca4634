import { createReadStream, globSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { pricedDisk, hourlyCostMicros, type Offer } from "@gpu-offers/domain";
import { readSkypilot, type SourceItem } from "@gpu-offers/sources";
import { findRealFile } from "@gpu-offers/testkit/real-file";

// Offers of real catalogs, one file per provider; see findRealFile.

/** Files of SkyPilot's catalog; only the newest per provider is used. */
const folder = findRealFile("data/skypilot-catalog");

/** All offers of the real files; undefined if they are absent. */
export async function findRealOffers(): Promise<readonly Offer[] | undefined> {
  if (folder === undefined) {
    return undefined;
  }
  const files = globSync("*/*/vms*.csv", { cwd: folder }).sort();
  const newest = new Map(files.map((file) => [basename(dirname(file)), join(folder, file)]));
  const offers: Offer[] = [];
  for (const [provider, file] of newest) {
    await collect(readSkypilot(createReadStream(file), { provider }), offers);
  }
  return offers;
}

async function collect(items: AsyncIterable<SourceItem>, offers: Offer[]): Promise<void> {
  for await (const item of items) {
    if (item.kind === "offer") {
      offers.push(item.offer);
    }
  }
}

/** Hourly cost in micro-dollars with a disk; undefined if the offer does not support that disk. */
export function costWith(offer: Offer, diskGb: number): number | undefined {
  const disk = pricedDisk(offer, diskGb);
  return disk === undefined ? undefined : hourlyCostMicros(offer, disk);
}
