import { compareOsImages, OfferIndexBuilder } from "@gpu-offers/domain";
import { readCatalog } from "../store/catalog.store.js";
import type { Database } from "../store/database.js";
import type { StoredOffer } from "../store/offer-row.js";
import type { SnapshotParts } from "./snapshot.js";

/** Bytes that offsets can address. */
const MAX_BYTES = 2 ** 32 - 1;

/** Guess of an offer's JSON in bytes, to start with; the buffer grows when it is too small. */
const BYTES_AN_OFFER = 640;

/** Reads the current catalog and builds what a snapshot needs. Undefined while there is no catalog. */
export function loadSnapshotParts(database: Database): Promise<SnapshotParts | undefined> {
  return readCatalog(database, async (head, offers) => {
    const written = await writeOffers(head.offerCount, offers);
    for (const provider of head.providers) {
      provider.images.sort((a, b) => compareOsImages(a.image, b.image));
    }
    return { revision: head.revision, providers: head.providers, ...written };
  });
}

/** Writes the offers one after the other, and builds the index over them. */
async function writeOffers(
  count: number,
  offers: AsyncIterable<StoredOffer>,
): Promise<Pick<SnapshotParts, "bytes" | "offsets" | "index">> {
  const encoder = new TextEncoder();
  const offsets = new Uint32Array(count + 1);
  const index = new OfferIndexBuilder();
  let written = 0;
  let bytes = new Uint8Array(count * BYTES_AN_OFFER);
  let end = 0;
  for await (const offer of offers) {
    // A UTF-16 unit takes at most 3 bytes in UTF-8.
    const needed = end + offer.body.length * 3;
    if (needed > bytes.length) {
      bytes = grown(bytes, Math.max(needed, Math.ceil(bytes.length * 1.5)));
    }
    end += encoder.encodeInto(offer.body, bytes.subarray(end)).written;
    index.add({
      id: offer.id,
      gpu: { slug: offer.gpu_slug },
      regionInfo: { continent: offer.continent },
      gpuCount: offer.gpu_count,
      priceHourly: offer.price_hourly,
      pricePerGpu: offer.price_per_gpu,
    });
    offsets[++written] = end;
  }
  if (end > MAX_BYTES) {
    throw new RangeError(`The catalog has ${end} bytes; one service serves at most ${MAX_BYTES}.`);
  }
  // What was not written of the buffer takes no memory.
  return { bytes: bytes.subarray(0, end), offsets, index: index.build() };
}

function grown(bytes: Uint8Array<ArrayBuffer>, length: number): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(length);
  larger.set(bytes);
  return larger;
}
