import fc from "fast-check";
import { expect, test } from "vitest";
import { KeptAnswers } from "./kept-answers.js";

const answer = (text: string) => ({ etag: "", text });

test("the newest answer of a URL is kept", () => {
  const kept = new KeptAnswers();
  kept.keep("/a", answer("one"));
  kept.keep("/a", answer("two"));
  expect(kept.find("/a")).toEqual(answer("two"));
  expect(kept.find("/b")).toBe(undefined);
  kept.drop("/a");
  expect(kept.find("/a")).toBe(undefined);
});

test("the answer that was not used for longest goes first", () => {
  const kept = new KeptAnswers(12);
  kept.keep("/a", answer("aa"));
  kept.keep("/b", answer("bb"));
  kept.keep("/c", answer("cc"));
  kept.find("/a");
  kept.keep("/d", answer("dd"));
  expect(["/a", "/b", "/c", "/d"].filter((url) => kept.find(url) !== undefined)).toEqual(["/a", "/c", "/d"]);
});

test("an answer that just fits is kept, alone", () => {
  const kept = new KeptAnswers(12);
  kept.keep("/a", answer("aa"));
  kept.keep("/b", answer("b".repeat(10)));
  expect(kept.find("/a")).toBe(undefined);
  expect(kept.find("/b")).toEqual(answer("b".repeat(10)));
});

test("an answer that alone is too large takes no place, and the old one of its URL is gone", () => {
  const kept = new KeptAnswers(12);
  kept.keep("/a", answer("aa"));
  kept.keep("/b", answer("bb"));
  kept.keep("/a", answer("a".repeat(11)));
  expect(kept.find("/a")).toBe(undefined);
  expect(kept.find("/b")).toEqual(answer("bb"));
});

test("what is kept never has more characters than the limit, and is always the newest of its URL", () => {
  const urls = ["/a", "/bb", "/ccc", "/dddd"];
  const step = fc.record({ url: fc.constantFrom(...urls), text: fc.string({ maxLength: 12 }), keeps: fc.boolean() });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), fc.integer({ min: 1, max: 30 }), (steps, limit) => {
      const kept = new KeptAnswers(limit);
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
