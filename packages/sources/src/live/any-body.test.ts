import { publishedOfferSchema } from "@gpu-offers/domain";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { offersOf } from "../source.fixture.js";
import { SourceError } from "../source-error.js";
import type { LiveItem, LiveSource } from "./live-source.js";
import { findLiveSource, liveSources } from "./live-sources.js";
import {
  present,
  readBody,
  recordedBodies,
  recordedBytes,
  recordedContext,
  sourceItems,
} from "./recordings.fixture.js";
import { bytesOf, readBodies, samples } from "./samples.fixture.js";

// Whatever a server sends, a source gives offers that may be published or a SourceError: nothing else is thrown.

const seed = 20_261_122;

/** Values that have broken readers: numbers at the edges, numbers as text, texts that no URL or name can hold. */
const odd: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(null, true, false, 0, -1, 0.5, 1.5, 1e-9, 1e9, 1e15, 1e21, 1e308, {}, [], [[]], ""),
  fc.constantFrom<unknown>("NaN", "-5", "1e5", "0x10", " 7 ", "1,5", "\uD800", "\u0000", "a".repeat(5000), "__proto__"),
  fc.constantFrom<unknown>("https://169.254.169.254/", "http://[::1]/", "../../x", "%E0%A4%A", "1".repeat(400)),
  fc.jsonValue({ maxDepth: 3 }),
);

type Mutation = (value: unknown) => unknown;

/** A copy of the value with something changed at a random place. */
const mutation: fc.Arbitrary<Mutation> = fc
  .record({ path: fc.array(fc.nat(), { minLength: 0, maxLength: 8 }), to: odd, how: fc.nat(3) })
  .map(
    ({ path, to, how }) =>
      (value) =>
        changedAt(value, path, (child, parent) => {
          if (how === 0) return undefined;
          if (how === 1 && typeof child === "number") return child * 1e6;
          if (how === 2 && Array.isArray(parent)) return parent[0];
          return to;
        }),
  );

type Change = (child: unknown, parent: unknown) => unknown;

function changedAt(value: unknown, [step = 0, ...rest]: readonly number[], change: Change, parent?: unknown): unknown {
  if (typeof value !== "object" || value === null || rest.length === 0) return change(value, parent);
  const entries = Object.entries(value);
  const at = step % Math.max(1, entries.length);
  const changed = entries.map(([key, child], index): [string, unknown] =>
    index === at ? [key, changedAt(child, rest, change, value)] : [key, child],
  );
  const kept = changed.filter(([, child]) => child !== undefined);
  return Array.isArray(value) ? kept.map(([, child]) => child) : Object.fromEntries(kept);
}

/** Bytes that are damaged rather than changed: cut off, or replaced by a page for people. */
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
    if (!(error instanceof SourceError)) throw error;
    return [];
  });
  for (const offer of offersOf(sourceItems(items))) {
    expect(publishedOfferSchema.safeParse(offer).error).toBeUndefined();
  }
}

/** The bodies of a source with one of them, or every one, replaced. */
function withBody(bodies: Readonly<Record<string, unknown>>, at: number, change: (body: unknown) => unknown) {
  const parts = Object.keys(bodies);
  const part = parts[at % parts.length] ?? "";
  return { ...bodies, [part]: change(bodies[part]) };
}

describe("a source gives sound offers or a SourceError", () => {
  test.each(liveSources)("$name for a body with changed values", async (source) => {
    const bodies = samples[source.name] ?? {};
    const property = fc.asyncProperty(
      fc.nat(),
      fc.array(mutation, { minLength: 1, maxLength: 3 }),
      async (at, changes) => {
        const mutated = withBody(bodies, at, (body) => changes.reduce((value, change) => change(value), body));
        await expectSound(readBodies(source, mutated));
      },
    );
    await fc.assert(property, { seed, numRuns: 150 });
  });

  test.each(liveSources)("$name for a damaged body", async (source) => {
    const bodies = samples[source.name] ?? {};
    const property = fc.asyncProperty(fc.nat(), damage, async (at, break_) => {
      const damaged = withBody(bodies, at, (body) => break_(bytesOf(body)));
      await expectSound(readBodies(source, damaged));
    });
    await fc.assert(property, { seed, numRuns: 60 });
  });

  test.each(liveSources)("$name for any JSON", async (source) => {
    const parts = Object.keys(samples[source.name] ?? {});
    const property = fc.asyncProperty(fc.array(fc.jsonValue(), { minLength: 1 }), async (values) => {
      const bodies = Object.fromEntries(
        parts.map((part, index) => [part, bytesOf(JSON.stringify(values[index % values.length]))]),
      );
      await expectSound(readBodies(source, bodies));
    });
    await fc.assert(property, { seed, numRuns: 50 });
  });

  test.skipIf(!present).each(recordedBodies)("$source for mutations of $path", async ({ source: name, path }) => {
    const source = getSource(name);
    const recorded: unknown = JSON.parse(Buffer.from(recordedBytes(path)).toString("utf8"));
    const property = fc.asyncProperty(fc.array(mutation, { minLength: 1, maxLength: 4 }), async (changes) => {
      const mutated = changes.reduce((value, change) => change(value), recorded);
      const context = { ...recordedContext, settings: { convert: "ecb" as const } };
      await expectSound(readBody(source, JSON.stringify(mutated) ?? "", context));
    });
    await fc.assert(property, { seed, numRuns: 40 });
  });
});

function getSource(name: string): LiveSource {
  const source = findLiveSource(name);
  if (source === undefined) throw new Error(`There is no source ${name}.`);
  return source;
}
