import { pageCounts } from "@gpu-offers/domain";
import { expect, test } from "vitest";
import { readPages, type ReadPage } from "./pages.js";

// What cannot be told apart over a network: pages that are here already.

/** A page out of nothing, at once. */
const readPage: ReadPage = async (page) => ({
  url: "http://offers.example/api/v1/offers",
  value: { offers: Array.from({ length: 100 }), ...pageCounts(1_000, { page, size: 100 }) } as never,
  etag: undefined,
});

test("pages that are ready are not given after an abort", async () => {
  const abort = new AbortController();
  const pages = readPages(readPage, { signal: abort.signal });
  expect(await pages.next()).toMatchObject({ value: { page: 0 } });
  expect(await pages.next()).toMatchObject({ value: { page: 1 } });
  abort.abort("enough");
  await expect(pages.next()).rejects.toBe("enough");
  expect(await pages.next()).toEqual({ done: true, value: undefined });
});

test("pages are begun when they are asked for, and only so many ahead", async () => {
  const begun: number[] = [];
  const pages = readPages((page, signal) => (begun.push(page), readPage(page, signal)), { concurrency: 3 });
  expect(begun).toEqual([]);
  await pages.next();
  expect(begun).toEqual([0]);
  await pages.next();
  expect(begun).toEqual([0, 1, 2, 3]);
  await pages.next();
  expect(begun).toEqual([0, 1, 2, 3, 4]);
  await pages.return();
  expect(begun).toEqual([0, 1, 2, 3, 4]);
});
