import fc from "fast-check";
import { expect, test } from "vitest";
import { KeptResponses } from "./kept-responses.js";

const response = (text: string) => ({ etag: "", text });

test("the newest response of a URL is kept", () => {
  const kept = new KeptResponses();
  kept.keep("/a", response("one"));
  kept.keep("/a", response("two"));
  expect(kept.find("/a")).toEqual(response("two"));
  expect(kept.find("/b")).toBe(undefined);
  kept.drop("/a");
  expect(kept.find("/a")).toBe(undefined);
});

test("the least recently used response is evicted first", () => {
  const kept = new KeptResponses(12);
  kept.keep("/a", response("aa"));
  kept.keep("/b", response("bb"));
  kept.keep("/c", response("cc"));
  kept.find("/a");
  kept.keep("/d", response("dd"));
  expect(["/a", "/b", "/c", "/d"].filter((url) => kept.find(url) !== undefined)).toEqual(["/a", "/c", "/d"]);
});

test("a response that just fits is kept as the only one", () => {
  const kept = new KeptResponses(12);
  kept.keep("/a", response("aa"));
  kept.keep("/b", response("b".repeat(10)));
  expect(kept.find("/a")).toBe(undefined);
  expect(kept.find("/b")).toEqual(response("b".repeat(10)));
});

test("a response over the limit is not kept, and the old one of its URL is removed", () => {
  const kept = new KeptResponses(12);
  kept.keep("/a", response("aa"));
  kept.keep("/b", response("bb"));
  kept.keep("/a", response("a".repeat(11)));
  expect(kept.find("/a")).toBe(undefined);
  expect(kept.find("/b")).toEqual(response("bb"));
});

test("kept responses never exceed the limit, and are always the newest of their URL", () => {
  const urls = ["/a", "/bb", "/ccc", "/dddd"];
  const step = fc.record({ url: fc.constantFrom(...urls), text: fc.string({ maxLength: 12 }), keeps: fc.boolean() });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), fc.integer({ min: 1, max: 30 }), (steps, limit) => {
      const kept = new KeptResponses(limit);
      const newest = new Map<string, string>();
      for (const { url, text, keeps } of steps) {
        if (keeps) {
          kept.keep(url, { etag: "t", text });
          newest.set(url, text);
        } else {
          kept.drop(url);
          newest.delete(url);
        }
        const found = urls.flatMap((known) => {
          const { etag, text: body } = kept.find(known) ?? {};
          return body === undefined
            ? []
            : [{ known, body, characters: known.length + body.length + (etag ?? "").length }];
        });
        expect(found.reduce((sum, { characters }) => sum + characters, 0)).toBeLessThanOrEqual(limit);
        expect(found.every(({ known, body }) => newest.get(known) === body)).toBe(true);
      }
    }),
    { seed: 20_261_120 },
  );
});
