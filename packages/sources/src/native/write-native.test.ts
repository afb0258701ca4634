import {
  CONTINENTS,
  isPlainText,
  DEPLOYMENT_TYPES,
  listingFacts,
  pricePerGpu,
  PROVIDER_TYPES,
  publishedOfferSchema,
  SELLERS,
  SPOT_KINDS,
} from "@gpu-offers/domain";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { readSkypilot } from "../skypilot/read-skypilot.js";
import type { SourceImage, SourceProvider } from "../source-item.js";
import { bytesOf, collect, ofKind, skypilotCsv } from "../source.fixture.js";
import { readNative } from "./read-native.js";
import { writeNative, type CatalogOffer } from "./write-native.js";

const text = fc.string({ unit: "grapheme", minLength: 1, maxLength: 30 }).filter(isPlainText);
const name = fc.stringMatching(/^[a-z0-9]{1,8}(?:[-.][a-z0-9]{1,8})?$/);
const slug = fc.stringMatching(/^[a-z0-9]{1,8}(?:-[a-z0-9]{1,8})?$/);
const price = fc.integer({ min: 0, max: 1_000_000_000 }).map((micros) => micros / 1e6);
const count = fc.integer({ min: 0, max: 100_000 });

const place = fc.oneof(
  fc.constant({ countryCode: "ZZ", countryName: "Unknown", cityState: "", continent: "Unknown" }),
  fc.record({
    countryCode: fc.stringMatching(/^[A-Y]{2}$/),
    countryName: text,
    cityState: text,
    continent: fc.constantFrom(...CONTINENTS),
  }),
);

const image = fc
  .record({
    id: fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9._:-]{0,20}(?:\/[A-Za-z0-9._:-]{1,9})?$/),
    displayName: text,
    hasDocker: fc.boolean(),
    cudaVersion: fc.option(fc.constantFrom("12.4", "13.0")),
    instanceTypes: fc.option(fc.array(text, { maxLength: 3 })),
  })
  .map(({ instanceTypes, ...rest }): SourceImage => {
    const full = Object.assign(rest, {
      slug: rest.id.replaceAll("/", "-"),
      hasCuda: rest.cudaVersion !== null,
      isDefault: false,
    });
    return instanceTypes === null ? full : Object.assign(full, { instanceTypes });
  });

const provider: fc.Arbitrary<SourceProvider> = fc
  .record({
    name,
    type: fc.constantFrom(...PROVIDER_TYPES),
    images: fc.uniqueArray(image, { maxLength: 3, selector: (entry) => entry.slug }),
  })
  .map((value) => {
    for (const [index, entry] of value.images.entries()) {
      entry.isDefault = index === 0;
    }
    return value;
  });

const facts = fc.record(
  {
    instanceType: fc.option(text),
    providerOfferId: fc.option(text),
    seller: fc.option(fc.constantFrom(...SELLERS)),
    verified: fc.option(fc.boolean()),
    reliability: fc.option(fc.double({ min: 0, max: 1, noNaN: true })),
    toolNames: fc.record({ sky: text, dstack: text }, { requiredKeys: [] }),
    egressPerGB: fc.option(price),
    spot: fc.option(fc.record({ priceHourly: price, kind: fc.constantFrom(...SPOT_KINDS) })),
  },
  { requiredKeys: [] },
);

const offerOf = (provided: string): fc.Arbitrary<CatalogOffer> =>
  fc
    .record({
      id: fc.uuid(),
      gpu: fc.record({ name: text, slug, vramGB: fc.integer({ min: 1, max: 500 }), architecture: text }),
      gpuCount: fc.integer({ min: 1, max: 16 }),
      region: text,
      regionInfo: place,
      priceHourly: price.map((usd) => usd + 1).map((usd) => Math.round(usd * 1e6) / 1e6),
      isAvailable: fc.boolean(),
      specs: fc.record({ vcpu: count, ram: count, disk: count }),
      storageCostPerGB: price,
      bounds: fc.tuple(count, count),
      costDataComplete: fc.boolean(),
      deploymentType: fc.constantFrom(...DEPLOYMENT_TYPES),
      nvlinkEnabled: fc.boolean(),
      interconnect: fc.option(text),
      stated: facts,
    })
    .map(({ bounds, stated, ...offer }) => ({
      listing: listingFacts(stated, offer),
      offer: publishedOfferSchema.parse({
        ...offer,
        provider: { name: provided, slug: provided },
        pricePerGpu: pricePerGpu(offer.priceHourly, offer.gpuCount),
        storageMinGB: Math.min(...bounds),
        storageMaxGB: Math.max(...bounds),
      }),
    }));

const catalog = fc
  .uniqueArray(provider, { minLength: 1, maxLength: 3, selector: (value) => value.name })
  .chain((providers) =>
    fc.record({
      providers: fc.constant(providers),
      offers: fc.uniqueArray(
        fc.constantFrom(...providers).chain((value) => offerOf(value.name)),
        {
          maxLength: 5,
          selector: ({ offer }) => offer.id,
        },
      ),
    }),
  );

const header = { asOf: "2026-11-01T10:00:00.000Z", note: "Made up." };

async function* endless(): AsyncGenerator<SourceProvider> {
  for (let index = 0; ; index += 1) {
    yield { name: `p${index}`, type: "vm", images: [] };
  }
}

test("a written catalog is read back and rewritten byte for byte", async () => {
  await fc.assert(
    fc.asyncProperty(catalog, async ({ providers, offers }) => {
      const items = await collect(readNative(writeNative(header, providers, offers)));
      expect(ofKind(items, "rejection")).toEqual([]);
      expect(ofKind(items, "provider").map((item) => item.provider)).toEqual(providers);
      const read = ofKind(items, "offer").map(({ offer, listing }) => ({ listing, offer }));
      expect(JSON.stringify(read)).toBe(JSON.stringify(offers));
    }),
    { seed: 20_261_120, numRuns: 300 },
  );
});

test("importing an export and exporting it again gives the same file", async () => {
  const csv = skypilotCsv(
    {},
    { InstanceType: "g6.xlarge", AcceleratorName: "L4", AcceleratorCount: "1", Price: "0.8048" },
  );
  const offers = ofKind(await collect(readSkypilot(bytesOf(csv), { provider: "aws" })), "offer");
  const providers: SourceProvider[] = [{ name: "aws", type: "vm", images: [] }];
  const first = (await collect(writeNative(header, providers, offers))).join("");
  const again = ofKind(await collect(readNative(bytesOf(first))), "offer");
  expect((await collect(writeNative(header, providers, again))).join("")).toBe(first);
});

test("the lines are a header, the providers and the offers, one chunk each", async () => {
  const lines = writeNative({ asOf: "2026-11-01" }, endless(), []);
  expect((await lines.next()).value).toBe('{"format":"gpu-offers/1","asOf":"2026-11-01"}\n');
  expect((await lines.next()).value).toBe('{"provider":{"name":"p0","type":"vm","images":[]}}\n');
  await lines.return(undefined);
});

test("an unreadable header is not written", async () => {
  await expect(collect(writeNative({ asOf: "today" }, [], []))).rejects.toThrow("must be a date");
});
