import * as fc from "fast-check";
import { expect, test } from "vitest";
import { ResponseCache } from "./connection.js";

const response = (text: string) => ({ etag: "", text });

test("the newest response of a URL is kept", () => {
  const cache = new ResponseCache();
  cache.set("/a", response("one"));
  cache.set("/a", response("two"));
  expect(cache.get("/a")).toEqual(response("two"));
  expect(cache.get("/b")).toBe(undefined);
  cache.delete("/a");
  expect(cache.get("/a")).toBe(undefined);
});

test("the least recently used response is evicted first", () => {
  const cache = new ResponseCache(12);
  cache.set("/a", response("aa"));
  cache.set("/b", response("bb"));
  cache.set("/c", response("cc"));
  cache.get("/a");
  cache.set("/d", response("dd"));
  expect(["/a", "/b", "/c", "/d"].filter((url) => cache.get(url) !== undefined)).toEqual(["/a", "/c", "/d"]);
});

test("a response that just fits is kept as the only one", () => {
  const cache = new ResponseCache(12);
  cache.set("/a", response("aa"));
  cache.set("/b", response("b".repeat(10)));
  expect(cache.get("/a")).toBe(undefined);
  expect(cache.get("/b")).toEqual(response("b".repeat(10)));
});

test("a response over the limit is not kept, and the old one of its URL is removed", () => {
  const cache = new ResponseCache(12);
  cache.set("/a", response("aa"));
  cache.set("/b", response("bb"));
  cache.set("/a", response("a".repeat(11)));
  expect(cache.get("/a")).toBe(undefined);
  expect(cache.get("/b")).toEqual(response("bb"));
});

test("kept responses never exceed the limit, and are always the newest of their URL", () => {
  const urls = ["/a", "/bb", "/ccc", "/dddd"];
  const step = fc.record({ url: fc.constantFrom(...urls), text: fc.string({ maxLength: 12 }), keeps: fc.boolean() });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), fc.integer({ min: 1, max: 30 }), (steps, limit) => {
      const cache = new ResponseCache(limit);
      const newest = new Map<string, string>();
      for (const { url, text, keeps } of steps) {
        if (keeps) {
          cache.set(url, { etag: "t", text });
          newest.set(url, text);
        } else {
          cache.delete(url);
          newest.delete(url);
        }
        const found = urls.flatMap((known) => {
          const { etag, text: body } = cache.get(known) ?? {};
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
