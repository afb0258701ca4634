import { createReadStream } from "node:fs";
import type { ListingFacts, Offer } from "@gpu-offers/domain";
import { readBody, recordedBodies, recordedBytes, readBodies, samples } from "../../src/live/recordings.fixture.ts";
import { findLiveSource } from "../../src/live/live-sources.ts";
import { readNative } from "../../src/native/read-native.ts";
import { catalogs, data } from "../../src/skypilot/catalogs.fixture.ts";
import { readSkypilot } from "../../src/skypilot/read-skypilot.ts";
import type { SourceImage } from "../../src/source-item.ts";

// Every offer of the starter, of the recorded responses and of the sample files.

export { present } from "../../src/live/recordings.fixture.ts";

/** An offer with its origin. */
export interface OfferFrom {
  from: string;
  offer: Offer;
  listing: ListingFacts;
  images: readonly SourceImage[];
}

type Item = { kind: string } & Partial<OfferFrom> & { provider?: { images?: SourceImage[] } };

/** Every offer, with the images of its provider. */
export async function readOffers(): Promise<OfferFrom[]> {
  const starter = createReadStream(new URL("../../../../apps/api/catalog/starter.json", import.meta.url));
  const found = await offersIn("starter", readNative(starter));
  for (const { source, path } of recordedBodies) {
    found.push(...(await offersIn("recording", await readBody(sourceOf(source), recordedBytes(path)))));
  }
  for (const [name, bodies] of Object.entries(samples)) {
    found.push(...(await offersIn("response", await readBodies(sourceOf(name), bodies))));
  }
  for (const file of Object.values(catalogs)) {
    const [, provider = ""] = file.split("/");
    found.push(...(await offersIn("file", readSkypilot(createReadStream(new URL(file, data)), { provider }))));
  }
  return found;
}

async function offersIn(from: string, items: AsyncIterable<Item> | Iterable<Item>): Promise<OfferFrom[]> {
  const offers: OfferFrom[] = [];
  const images: SourceImage[] = [];
  for await (const { kind, offer, listing, provider } of items) {
    images.push(...(provider?.images ?? []));
    if (kind === "offer" && offer !== undefined && listing !== undefined) {
      // Each provider of the starter has images of its own, which need an account.
      offers.push({ from, offer, listing, images: from === "starter" ? [] : images });
    }
  }
  return offers;
}

function sourceOf(name: string) {
  const source = findLiveSource(name);
  if (source === undefined) {
    throw new Error(`Unknown source ${name}.`);
  }
  return source;
}
