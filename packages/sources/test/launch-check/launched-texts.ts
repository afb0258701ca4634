import { createReadStream, existsSync, readFileSync } from "node:fs";
import { diskFor, storageOf, type LaunchPlan, type ListingFacts, type Offer } from "@gpu-offers/domain";
import { launchPlan } from "@gpu-offers/domain/launching";
import { readBody, recordedBodies, recordedBytes } from "../../src/live/recordings.fixture.ts";
import { findLiveSource } from "../../src/live/live-sources.ts";
import { readBodies, samples } from "../../src/live/samples.fixture.ts";
import { readNative } from "../../src/native/read-native.ts";
import { catalogs, data } from "../../src/skypilot/catalogs.fixture.ts";
import { readSkypilot } from "../../src/skypilot/read-skypilot.ts";
import type { SourceImage } from "../../src/source-item.ts";

// The texts of every offer of the starter, of the recorded responses and of the sample files.

/** A text, and what it must rent. */
export interface LaunchedText {
  id: number;
  /** Where the offer is from, such as `starter`. */
  from: string;
  offer: Offer;
  listing: ListingFacts;
  /** Whole GB of the disk that the plan's total includes; undefined if it is included in the machine. */
  diskGb: number | undefined;
  isSpot: boolean;
  kind: string;
  tool: string;
  text: string;
}

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
  for (const { file } of Object.values(catalogs)) {
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

/** The plans of an offer: with a disk of 500 GB where it can be chosen, with the default one, and on spot terms. */
export function plansOf({ from, offer, listing, images }: OfferFrom): { isSpot: boolean; plan: LaunchPlan }[] {
  const { storage, isCostComplete } = listing;
  const terms = { ...offer, storage, isCostComplete };
  const diskGb = storageOf(terms).maxGb === 0 ? undefined : diskFor(terms, 500);
  const disk = diskGb === undefined ? {} : { diskGb };
  const choices = [
    { ...disk, isSpot: false },
    ...(from === "starter" && diskGb !== undefined ? [{ isSpot: false }] : []),
    ...(listing.spot === null ? [] : [{ ...disk, isSpot: true }]),
  ];
  return choices.map((choice) => ({ isSpot: choice.isSpot, plan: launchPlan({ offer, ...listing }, images, choice) }));
}

/** Every different text. */
export function textsOf(offers: readonly OfferFrom[]): LaunchedText[] {
  const found = new Map<string, LaunchedText>();
  for (const one of offers) {
    for (const { isSpot, plan } of plansOf(one)) {
      const { disk_gb: diskGb } = plan.deployment ?? {};
      for (const { kind, tool, text } of plan.launch) {
        const { from, offer, listing } = one;
        if (!found.has(text)) {
          found.set(text, { id: found.size, from, offer, listing, diskGb, isSpot, kind, tool, text });
        }
      }
    }
  }
  return [...found.values()];
}

/** The text of a file of the tests, or undefined where it isn't on this machine. */
export const textOf = (url: URL): string | undefined => (existsSync(url) ? readFileSync(url, "utf8") : undefined);
