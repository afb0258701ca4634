import { publishedOfferSchema } from "@gpu-offers/domain";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { nativeProviderSchema } from "../native/native-schema.js";
import { offersOf } from "../source.fixture.js";
import { SourceError } from "../source-error.js";
import type { SourceProvider } from "../source-item.js";
import type { LiveItem, LiveRequest, LiveSource } from "./live-source.js";
import { findLiveSource, liveSources as allSources } from "./live-sources.js";
import {
  present,
  readBody,
  recordedBodies,
  recordedBytes,
  recordedContext,
  sourceItems,
  bytesOf,
  readBodies,
  sampleContext,
  samples,
  type Bodies,
} from "./recordings.fixture.js";

// For any body that a server may send, a source must yield publishable offers and images or throw a SourceError, nothing else.

const seed = 20_261_122;

/** Recorded bodies of optional requests, by source and part. */
const recordedOptional: readonly { source: string; part: string; path: string }[] = [
  { source: "linode", part: "images", path: "live/linode/images-0.json" },
  { source: "linode", part: "network-transfer/prices", path: "live/linode/network-transfer-prices-0.json" },
  { source: "latitude", part: "operating_systems", path: "live/latitude/operating-systems-0.json" },
  { source: "scaleway", part: "images", path: "live/scaleway/marketplace/images-0.json" },
];

/** Values that break parsers: numbers at the limits, numbers as text, texts invalid in URLs and names. */
const ODD: readonly unknown[] = [
  null,
  true,
  -1,
  1e9,
  1e308,
  {},
  [],
  "",
  "NaN",
  "\uD800",
  "a".repeat(5000),
  "https://169.254.169.254/",
];
const odd: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom(...ODD, 0, 0.5, 1e-9, 1e21, "-5", "1e5", " 7 ", "\u0000", "__proto__", "%E0%A4%A"),
  fc.jsonValue({ maxDepth: 3 }),
);

type Path = readonly string[];
type Change = (child: unknown) => unknown;

/** The paths of all values within a value. */
function pathsIn(value: unknown, path: Path = []): Path[] {
  if (typeof value !== "object" || value === null || value instanceof Uint8Array) {
    return [path];
  }
  return [path, ...Object.entries(value).flatMap(([key, child]) => pathsIn(child, [...path, key]))];
}

/** A copy of the value with one part changed; undefined removes the part. */
function changedAt(value: unknown, [step, ...rest]: Path, change: Change): unknown {
  if (step === undefined) {
    return change(value);
  }
  if (typeof value !== "object" || value === null) {
    return value;
  }
  const changed = Object.entries(value).map(([key, child]): [string, unknown] =>
    key === step ? [key, changedAt(child, rest, change)] : [key, child],
  );
  const kept = changed.filter(([, child]) => child !== undefined);
  return Array.isArray(value) ? kept.map(([, child]) => child) : Object.fromEntries(kept);
}

/** A change at a random path: another value, a scaled number, removal, or a list with its rows repeated. */
const mutation: fc.Arbitrary<Change> = fc
  .record({ at: fc.nat(), to: odd, how: fc.nat(4) })
  .map(({ at, to, how }) => (value) => {
    const paths = pathsIn(value);
    return changedAt(value, paths[at % paths.length] ?? [], (child) => {
      if (how === 0) {
        return undefined;
      }
      if (how === 1 && typeof child === "number") {
        return child * 100;
      }
      if (how === 2 && Array.isArray(child)) {
        return [...(child as unknown[]), ...(child as unknown[])];
      }
      return to;
    });
  });

/** Bytes that are damaged rather than changed: truncated, or replaced by an HTML page. */
const damage: fc.Arbitrary<(bytes: Uint8Array) => Uint8Array> = fc.oneof(
  fc.nat().map((at) => (bytes: Uint8Array) => bytes.subarray(0, at % (bytes.length + 1))),
  fc.tuple(fc.nat(), fc.nat(255)).map(([at, byte]) => (bytes: Uint8Array) => {
    const copy = Uint8Array.from(bytes);
    copy[at % Math.max(1, copy.length)] = byte;
    return copy;
  }),
  fc.constant(() => bytesOf("<!doctype html><title>Log in</title>")),
  fc.constant(() => new Uint8Array()),
  odd.map((value) => () => bytesOf(JSON.stringify(value))),
);

async function expectSound(read: Promise<LiveItem[]>): Promise<void> {
  const items = await read.catch((error: unknown) => {
    if (!(error instanceof SourceError)) {
      throw error;
    }
    return [];
  });
  const offers = offersOf(sourceItems(items));
  expect(offers.filter((offer) => !publishedOfferSchema.safeParse(offer).success)).toEqual([]);
  expect(providersIn(items).filter((provider) => !nativeProviderSchema.safeParse(provider).success)).toEqual([]);
}

function providersIn(items: readonly LiveItem[]): SourceProvider[] {
  return sourceItems(items).flatMap((item) => (item.kind === "provider" ? [item.provider] : []));
}

/** A source without a sample fails a test of its own. */
const liveSources = allSources.filter(({ name }) => name in samples);

/** The optional requests of all sources. */
function optionalParts(): { name: string; source: LiveSource; part: string }[] {
  return liveSources.flatMap((source) => {
    const parts = Object.keys(samples[source.name] ?? {});
    const sent = requestsOf(source).filter(({ optional }) => optional === true);
    return sent.filter(({ part }) => parts.includes(part)).map(({ part }) => ({ name: source.name, source, part }));
  });
}

/** The requests of a source whose responses are its sample. */
function requestsOf(source: LiveSource): LiveRequest[] {
  const requests: LiveRequest[] = [];
  const generator = source.requests(sampleContext(source));
  for (let next = generator.next(); next.done !== true;) {
    const request = next.value;
    requests.push(request);
    const body = bytesOf(samples[source.name]?.[request.part] ?? "");
    next = generator.next({ request, status: 200, headers: {}, body });
  }
  return requests;
}

/** The bodies of a source with one of them, or every one, replaced. */
function withBody(bodies: Readonly<Record<string, unknown>>, at: number, change: (body: unknown) => unknown) {
  const parts = Object.keys(bodies);
  const part = parts[at % parts.length] ?? "";
  return { ...bodies, [part]: change(bodies[part]) };
}

// Quick tests run a thirtieth of the cases, so that most crashes of a reader are found before a merge. The full suite runs all,
// in minutes.
const share = process.env["TEST_SUITE"] === "full" ? 1 : 1 / 30;

const runs = (all: number) => ({ seed, numRuns: Math.max(1, Math.round(all * share)) });
// Of the pairs of a path and an odd value, every n-th one.
const step = Math.round(1 / share);

describe("a source yields valid offers or throws a SourceError", () => {
  test.each(liveSources)("$name with each value of a body replaced by each odd value", async (source) => {
    const bodies = samples[source.name] ?? {};
    for (const [part, body] of Object.entries(bodies)) {
      const pairs = pathsIn(body).flatMap((path) => ODD.map((value) => ({ path, value })));
      for (const { path, value } of pairs.filter((_, index) => index % step === 0)) {
        await expectSound(readBodies(source, { ...bodies, [part]: changedAt(body, path, () => value) }));
      }
    }
  });

  test.each(liveSources)("$name for a body with several changes", async (source) => {
    const bodies = samples[source.name] ?? {};
    const property = fc.asyncProperty(
      fc.nat(),
      fc.array(mutation, { minLength: 2, maxLength: 4 }),
      async (at, changes) => {
        const mutated = withBody(bodies, at, (body) => changes.reduce((value, change) => change(value), body));
        await expectSound(readBodies(source, mutated));
      },
    );
    await fc.assert(property, runs(60));
  });

  test.each(liveSources)("$name for a damaged body", async (source) => {
    const bodies = samples[source.name] ?? {};
    const property = fc.asyncProperty(fc.nat(), damage, async (at, break_) => {
      const damaged = withBody(bodies, at, (body) => break_(bytesOf(body)));
      await expectSound(readBodies(source, damaged));
    });
    await fc.assert(property, runs(40));
  });

  test.each(liveSources)("$name for any JSON", async (source) => {
    const parts = Object.keys(samples[source.name] ?? {});
    const property = fc.asyncProperty(fc.array(fc.jsonValue(), { minLength: 1 }), async (values) => {
      const bodies = Object.fromEntries(
        parts.map((part, index) => [part, bytesOf(JSON.stringify(values[index % values.length]))]),
      );
      await expectSound(readBodies(source, bodies));
    });
    await fc.assert(property, runs(30));
  });

  // Whatever they contain, optional responses change neither offers nor prices, except for those of disks.
  const withoutDisk = (items: readonly LiveItem[]) =>
    offersOf(sourceItems(items)).map((offer) =>
      Object.assign(offer, { storageCostPerGB: 0, storageMaxGB: 0, costDataComplete: true }),
    );
  const sameOffers = async (source: LiveSource, bodies: Bodies): Promise<void> => {
    const items = await readBodies(source, bodies);
    const whole = await readBodies(source, samples[source.name] ?? {});
    expect(withoutDisk(items)).toEqual(withoutDisk(whole));
    expect(providersIn(items).filter((provider) => !nativeProviderSchema.safeParse(provider).success)).toEqual([]);
  };

  test.each(optionalParts())("$name with any response to the optional request for $part", async ({ source, part }) => {
    const bodies = samples[source.name] ?? {};
    const response = fc.oneof(
      fc.jsonValue().map((value) => bytesOf(JSON.stringify(value))),
      damage.map((break_) => break_(bytesOf(bodies[part]))),
      fc
        .array(mutation, { minLength: 1, maxLength: 4 })
        .map((changes) => changes.reduce((value, change) => change(value), bodies[part]) ?? ""),
    );
    const property = fc.asyncProperty(response, async (body) => sameOffers(source, { ...bodies, [part]: body }));
    await fc.assert(property, runs(90));
  });

  test.skipIf(!present).each(recordedOptional)(
    "$source for mutations of $path",
    async ({ source: name, part, path }) => {
      const source = getSource(name);
      const recorded: unknown = JSON.parse(Buffer.from(recordedBytes(path)).toString("utf8"));
      const property = fc.asyncProperty(fc.array(mutation, { minLength: 1, maxLength: 4 }), async (changes) => {
        const body = changes.reduce((value, change) => change(value), recorded);
        await sameOffers(source, { ...samples[name], [part]: JSON.stringify(body) ?? "" });
      });
      await fc.assert(property, runs(60));
    },
  );

  test.skipIf(!present).each(recordedBodies)("$source for mutations of $path", async ({ source: name, path }) => {
    const source = getSource(name);
    const recorded: unknown = JSON.parse(Buffer.from(recordedBytes(path)).toString("utf8"));
    const property = fc.asyncProperty(fc.array(mutation, { minLength: 1, maxLength: 4 }), async (changes) => {
      const mutated = changes.reduce((value, change) => change(value), recorded);
      const context = { ...recordedContext, settings: { convert: "ecb" as const } };
      await expectSound(readBody(source, JSON.stringify(mutated) ?? "", context));
    });
    await fc.assert(property, runs(25));
  });
});

function getSource(name: string): LiveSource {
  const source = findLiveSource(name);
  if (source === undefined) {
    throw new Error(`Unknown source ${name}.`);
  }
  return source;
}
