import { pageCounts, type OfferList } from "@gpu-offers/domain";
import { expect, test } from "vitest";
import { ArgumentError } from "./errors.js";
import { LISTING_PAGES, OFFER_PAGES, readPages, type OffersEvent } from "./pages.js";

type ReadPage = Parameters<typeof readPages<OfferList>>[1];

// Cases that cannot be distinguished over a network: pages that are already there.

/** A page that is immediately available. */
const readPage: ReadPage = async (page) => ({
  url: "http://offers.example/api/v1/offers",
  value: {
    offers: Array.from({ length: 100 }, (_, index) => ({ id: `${page}-${index}` })),
    ...pageCounts(1_000, { page, size: 100 }),
  } as never,
  etag: undefined,
});

test("pages that are ready are not yielded after an abort", async () => {
  const abort = new AbortController();
  const pages = readPages(OFFER_PAGES, readPage, { signal: abort.signal });
  expect(await pages.next()).toMatchObject({ value: { page: 0 } });
  expect(await pages.next()).toMatchObject({ value: { page: 1 } });
  abort.abort("enough");
  await expect(pages.next()).rejects.toBe("enough");
  expect(await pages.next()).toEqual({ done: true, value: undefined });
});

test("pages are requested on demand, up to the maximum number ahead", async () => {
  const begun: number[] = [];
  const pages = readPages(OFFER_PAGES, (page, signal) => (begun.push(page), readPage(page, signal)), {
    concurrency: 3,
  });
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

test("no page after the last is requested, whatever the concurrency", async () => {
  for (const concurrency of [1, 2, 3, 16]) {
    const begun: number[] = [];
    const pages = readPages(OFFER_PAGES, (page, signal) => (begun.push(page), readPage(page, signal)), { concurrency });
    for await (const _ of pages) {
    }
    expect(begun).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  }
});

test.each([
  ["the tag of a revision", () => '"1-a0-v1"', 0],
  ["a weak one", (page: number) => (page === 0 ? '"1-a0-v1"' : 'W/"1-a0-v1"'), 0],
  ["another revision", (page: number) => (page === 0 ? '"1-a0-v1"' : '"2-a0-v1"'), 1],
  ["another mark", (page: number) => (page === 0 ? '"1-a0-v1"' : '"1-a1-v1"'), 1],
  ["another version", (page: number) => (page === 0 ? '"1-a0-v1"' : '"1-a0-v2"'), 1],
  ["a tag that contains the same tag", (page: number) => (page === 0 ? '"1-a0-v1"' : 'x"1-a0-v1"'), 1],
  ["a tag with a suffix", (page: number) => (page === 0 ? '"1-a0-v1"' : '"1-a0-v1"x'), 1],
  ["tags of another kind", (page: number) => `x"1-a0-v${page}"`, 0],
  ["tags of another kind with a suffix", (page: number) => `"1-a0-v${page}"x`, 0],
  ["tags of listings with other ages", (page: number) => `"1-a0-v-f~${page}"`, 0],
  ["tags of listings with other facts", (page: number) => `"1-a0-v-f${page}~a"`, 1],
  ["no tags", () => undefined, 0],
] as const)("%s: is it of the same catalog?", async (_name, etagOf, restarts) => {
  const tagged: ReadPage = async (page, signal) => ({ ...(await readPage(page, signal)), etag: etagOf(page) });
  const pages = readPages(OFFER_PAGES, tagged, { concurrency: 1 });
  const events: OffersEvent[] = [];
  for (let count = 0; count < 2; count++) {
    const { value } = await pages.next();
    events.push(value as OffersEvent);
  }
  await pages.return();
  expect(events.filter(({ kind }) => kind === "restart")).toHaveLength(restarts);
});

test("an invalid concurrency is reported as an option", () => {
  for (const concurrency of [0, 17, 1.5, Number.NaN]) {
    expect(() => readPages(OFFER_PAGES, readPage, { concurrency })).toThrow(
      new ArgumentError([{ in: "option", name: "concurrency", reason: "must be a whole number from 1 to 16" }]),
    );
  }
  for (const concurrency of [1, 16, undefined]) {
    expect(() => readPages(OFFER_PAGES, readPage, { concurrency })).not.toThrow();
  }
});

test("a list that claims more offers than the maximum is not read", async () => {
  const pages = readPages(OFFER_PAGES, readPage, { maxOffers: 999 });
  await expect(pages.next()).rejects.toThrow("claims 1000 offers, more than the maximum of 999");
  const whole = readPages(OFFER_PAGES, readPage, { maxOffers: 1000 });
  await expect(whole.next()).resolves.toMatchObject({ done: false });
  await whole.return();
  for (const maxOffers of [0, -1, 1.5, Number.NaN]) {
    expect(() => readPages(OFFER_PAGES, readPage, { maxOffers })).toThrow(ArgumentError);
  }
});

test("an offer with a duplicate id is dropped, on the same page and on later ones", async () => {
  const repeating: ReadPage = async (page) => ({
    url: "http://offers.example/api/v1/offers",
    value: {
      offers: Array.from({ length: 100 }, (_, index) => ({ id: `${index % (50 * (page + 1))}` })),
      ...pageCounts(300, { page, size: 100 }),
    } as never,
    etag: undefined,
  });
  const lengths: number[] = [];
  for await (const event of readPages(OFFER_PAGES, repeating, {})) {
    lengths.push(event.kind === "page" ? event.offers.length : -1);
  }
  expect(lengths).toEqual([50, 50, 0]);
});

test("pages of listings leave out offers that were on an earlier page", async () => {
  const ids = [Array.from({ length: 100 }, (_, index) => `a-${index}`), ["a-99", "b-0"]];
  const pages = readPages(
    LISTING_PAGES,
    async (page) => ({
      url: "http://offers.example/listings",
      value: {
        listings: ids[page]?.map((id) => ({ offer: { id } })),
        understood: [],
        ...pageCounts(102, { page, size: 100 }),
      } as never,
      etag: undefined,
    }),
    {},
  );
  expect(await pages.next()).toMatchObject({ value: { kind: "page", listings: { length: 100 } } });
  expect(await pages.next()).toMatchObject({
    value: { page: 1, understood: [], listings: [{ offer: { id: "b-0" } }] },
  });
});
