import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, test } from "vitest";
import { findLiveSource } from "./live/live-sources.js";
import { present, readBody, recordedBodies, recordedBytes, sourceItems } from "./live/recordings.fixture.js";
import { names, offers, present as hasCatalogs, readCatalogs } from "./skypilot/catalogs.fixture.js";
import { offersOf } from "./source.fixture.js";

// Ids of offers never change between releases. The file has the first six digits of each, by catalog and recording; an
// offer that a source no longer states is removed from it, and none is ever replaced.

const file = new URL("../test/pinned-ids.json", import.meta.url);
const pinned = JSON.parse(readFileSync(file, "utf8")) as Record<string, string>;
const prefixesOf = (text: string) => text.match(/.{6}/g) ?? [];

describe.skipIf(!present || !hasCatalogs)("ids of offers (skipped if the samples are absent)", () => {
  const found = new Map<string, ReadonlySet<string>>();

  beforeAll(async () => {
    await readCatalogs();
    for (const name of names) {
      found.set(`catalog ${name}`, new Set(offers(name).map(({ id }) => id.slice(0, 6))));
    }
    for (const { source, path } of recordedBodies) {
      const live = findLiveSource(source);
      const items = live === undefined ? [] : await readBody(live, recordedBytes(path));
      found.set(path, new Set(offersOf(sourceItems(items)).map(({ id }) => id.slice(0, 6))));
    }
  }, 60_000);

  test.each(Object.entries(pinned))("of %s are those of earlier releases", (name, text) => {
    const now = found.get(name);
    expect(prefixesOf(text).filter((prefix) => now?.has(prefix) !== true)).toEqual([]);
  });
});
