import { createHash } from "node:crypto";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { hashApiKey, isApiKey, newApiKey } from "./api-key.store.js";

const SEED = 20_261_120;
const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".split("");
const KEYS = 2_000;
const RANDOM_PART = 30;

const body = fc.string({ unit: fc.constantFrom(...ALPHABET), minLength: RANDOM_PART, maxLength: RANDOM_PART });

/** The key with a given random part and its matching checksum, by the definition of CRC-32. */
function keyOf(text: string): string {
  let rest = crcOf(Buffer.from(text));
  let digits = "";
  for (let place = 0; place < 6; place++) {
    digits = `${ALPHABET[rest % 62]}${digits}`;
    rest = Math.floor(rest / 62);
  }
  return `gpo_${text}${digits}`;
}

/** CRC-32 bit by bit (ISO 3309). */
function crcOf(bytes: Uint8Array): number {
  let crc = 0xff_ff_ff_ff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) {
      crc = (crc >>> 1) ^ ((crc & 1) * 0xed_b8_83_20);
    }
  }
  return (crc ^ 0xff_ff_ff_ff) >>> 0;
}

describe("a new key", () => {
  test("is gpo_, 30 random characters and 6 of their CRC-32, all in base 62", () => {
    for (let count = 0; count < KEYS; count++) {
      const key = newApiKey();
      expect(key).toMatch(/^gpo_[0-9A-Za-z]{36}$/);
      expect(key).toBe(keyOf(key.slice(4, 4 + RANDOM_PART)));
      expect(isApiKey(key)).toBe(true);
    }
  });

  test("is never repeated, with characters uniformly distributed in every position", () => {
    const keys = Array.from({ length: KEYS }, newApiKey);
    expect(new Set(keys).size).toBe(KEYS);
    const seen = new Map<string, number>();
    const seenAt = new Set<string>();
    for (const key of keys) {
      for (let place = 4; place < 4 + RANDOM_PART; place++) {
        const character = key[place] ?? "";
        seen.set(character, (seen.get(character) ?? 0) + 1);
        seenAt.add(`${place}${character}`);
      }
    }
    expect(seenAt.size).toBe(RANDOM_PART * ALPHABET.length);
    const expected = (KEYS * RANDOM_PART) / ALPHABET.length;
    const chiSquare = ALPHABET.reduce(
      (sum, character) => sum + ((seen.get(character) ?? 0) - expected) ** 2 / expected,
      0,
    );
    // With 61 degrees of freedom, a fair choice exceeds 160 once in 10^10 runs; "random byte modulo 62" has 400.
    expect(chiSquare).toBeLessThan(160);
  });
});

describe("the checksum", () => {
  test.each([
    ["000000000000000000000000000000", "gpo_0000000000000000000000000000002C8GjS"],
    ["zzzzzzzzzzzzzzzzzzzzzzzzzzzzzz", "gpo_zzzzzzzzzzzzzzzzzzzzzzzzzzzzzz4IlJEz"],
  ])("of %s never changes, or all keys would be rejected", (text, key) => {
    expect(keyOf(text)).toBe(key);
    expect(isApiKey(key)).toBe(true);
  });

  test("catches every key with one other character", () => {
    fc.assert(
      fc.property(body, fc.nat(39), fc.constantFrom(...ALPHABET), (text, place, character) => {
        const key = keyOf(text);
        expect(isApiKey(key)).toBe(true);
        fc.pre(key[place] !== character);
        expect(isApiKey(`${key.slice(0, place)}${character}${key.slice(place + 1)}`)).toBe(false);
      }),
      { seed: SEED, numRuns: 5_000 },
    );
  });

  test("catches two swapped neighbors", () => {
    fc.assert(
      fc.property(body, fc.integer({ min: 4, max: 38 }), (text, place) => {
        const key = keyOf(text);
        const swapped = `${key.slice(0, place)}${key[place + 1]}${key[place]}${key.slice(place + 2)}`;
        fc.pre(swapped !== key);
        expect(isApiKey(swapped)).toBe(false);
      }),
      { seed: SEED, numRuns: 2_000 },
    );
  });

  test("rejects any other text", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.string({ minLength: 36, maxLength: 36 }).map((text) => `gpo_${text}`),
        ),
        (text) => {
          expect(isApiKey(text)).toBe(false);
        },
      ),
      { seed: SEED, numRuns: 2_000 },
    );
    const key = keyOf("A".repeat(RANDOM_PART));
    for (const text of [
      "",
      `${key}\n`,
      ` ${key}`,
      `${key} `,
      key.toUpperCase(),
      key.slice(0, -1),
      `${key}0`,
      key.slice(4),
      // Too long, with a matching checksum.
      keyOf("A".repeat(RANDOM_PART + 1)),
      keyOf(`gpo_${"A".repeat(RANDOM_PART)}`),
    ]) {
      expect(isApiKey(text)).toBe(false);
    }
  });
});

test("a key is stored as its SHA-256", () => {
  const key = newApiKey();
  expect(hashApiKey(key)).toBe(createHash("sha256").update(key, "utf8").digest("hex"));
  expect(hashApiKey("abc")).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
});
