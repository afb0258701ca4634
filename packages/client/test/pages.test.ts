import type { Offer } from "@gpu-offers/domain";
import * as fc from "fast-check";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { createClient, type AllOffersOptions, type Client, type OffersEvent } from "../src/index.ts";
import { offerOf, offersOf, pageOf } from "@gpu-offers/testkit/offers";
import { sendError, sendJson, startServer, type ResponseParts, type Handler } from "@gpu-offers/testkit/http-server";
import { failure, rejection } from "./client.ts";

// Reading all pages, from servers whose catalogs change.

/** Offers of one revision; every offer contains its revision. */
interface Catalog {
  revision: number;
  offers: Offer[];
}

const catalogOf = (revision: number, count: number): Catalog => ({
  revision,
  offers: offersOf(count, { region: `revision-${revision}` }),
});

const tagOf = ({ revision }: Catalog) => `"${revision}-0a0b0c0d-0.1.0"`;

const pageNumber = (url = "") => Number(new URL(url, "http://localhost").searchParams.get("page"));

/** Responds like the service, from the current catalog. */
function serveCatalog(
  current: (request: number) => Catalog,
  parts: (catalog: Catalog, page: number) => ResponseParts,
): Handler {
  return (response, { url }, number) => {
    const catalog = current(number);
    const page = pageNumber(url);
    sendJson(response, pageOf(catalog.offers, page, 100), parts(catalog, page));
  };
}

const withTag = (catalog: Catalog): ResponseParts => ({ headers: { ETag: tagOf(catalog) } });

const clientOf = (server: { url: string }): Client =>
  createClient({ baseUrl: server.url, retries: 0, timeoutMs: 60_000 });

/** The result of a reader that follows the events: the offers since the last restart. Throws if they are mixed. */
async function read(events: AsyncIterable<OffersEvent>): Promise<{ offers: Offer[]; restarts: number }> {
  let offers: Offer[] = [];
  let restarts = 0;
  for await (const event of events) {
    if (event.kind === "restart") {
      offers = [];
      restarts = event.restarts;
      continue;
    }
    offers = [...offers, ...event.offers];
    const regions = new Set(offers.map(({ region }) => region));
    if (offers.length !== Math.min((event.page + 1) * 100, event.totalElements) || regions.size > 1) {
      throw new Error(`Page ${event.page} does not go on from the one before.`);
    }
  }
  return { offers, restarts };
}

async function collect(events: AsyncIterable<OffersEvent>): Promise<OffersEvent[]> {
  const all: OffersEvent[] = [];
  for await (const event of events) {
    all.push(event);
  }
  return all;
}

beforeEach(() => {
  // A restart waits for a random time; without randomness it doesn't wait.
  vi.spyOn(Math, "random").mockReturnValue(0);
});

describe("all offers", () => {
  test.for([0, 1, 100, 101, 950])("are complete and in order: %i", async (count) => {
    const catalog = catalogOf(1, count);
    const server = await startServer(serveCatalog(() => catalog, withTag));
    expect(await read(clientOf(server).allOffers())).toEqual({ offers: catalog.offers, restarts: 0 });
    expect(server.requests).toHaveLength(Math.max(1, Math.ceil(count / 100)));
  });

  test("of no offers are one empty page", async () => {
    const server = await startServer(serveCatalog(() => catalogOf(1, 0), withTag));
    const events = await collect(clientOf(server).allOffers());
    expect(events).toEqual([{ kind: "page", ...pageOf([], 0, 100) }]);
  });

  test("are requested with the query, 100 offers per page", async () => {
    const server = await startServer(serveCatalog(() => catalogOf(1, 101), withTag));
    await read(clientOf(server).allOffers({ gpu: ["h100-sxm"], sort_order: "desc" }));
    const search = "/api/v1/offers?gpu=h100-sxm&sort_order=desc";
    expect(server.requests.map(({ url }) => url)).toEqual([`${search}&page=0&size=100`, `${search}&page=1&size=100`]);
  });

  test("are yielded in order even if responses are not, within the maximum concurrency", async () => {
    const catalog = catalogOf(1, 1_050);
    let waiting: (() => void)[] = [];
    let most = 0;
    const server = await startServer((response, { url }) => {
      const page = pageNumber(url);
      waiting.push(() => sendJson(response, pageOf(catalog.offers, page, 100), withTag(catalog)));
      most = Math.max(most, waiting.length);
      // Pages 1 to 10: three wait for each other and are served in reverse order, and one is left at the end.
      if (page === 0 || waiting.length === 3 || page === 10) {
        for (const respond of waiting.splice(0).toReversed()) {
          respond();
        }
      }
    });
    const { offers } = await read(clientOf(server).allOffers({}, { concurrency: 3 }));
    expect(offers).toEqual(catalog.offers);
    expect(most).toBe(3);
  });

  test("are requested again with the tags of the kept pages", async () => {
    const catalog = catalogOf(1, 250);
    const server = await startServer((response, request, number) => {
      if (request.headers["if-none-match"] === tagOf(catalog)) {
        response.writeHead(304).end();
      } else {
        serveCatalog(() => catalog, withTag)(response, request, number);
      }
    });
    const client = clientOf(server);
    await read(client.allOffers());
    expect(await read(client.allOffers())).toEqual({ offers: catalog.offers, restarts: 0 });
    expect(server.requests.filter(({ headers }) => headers["if-none-match"] === tagOf(catalog))).toHaveLength(3);
  });

  test("cause no warning at any concurrency", async () => {
    const warned = vi.fn<(warning: Error) => void>();
    process.on("warning", warned);
    const catalog = catalogOf(1, 3_000);
    const server = await startServer(serveCatalog(() => catalog, withTag));
    await read(clientOf(server).allOffers({}, { concurrency: 16, signal: new AbortController().signal }));
    process.off("warning", warned);
    expect(warned).not.toHaveBeenCalled();
  });
});

describe("a catalog that changes", () => {
  test("restarts the reading, with an event", async () => {
    const server = await startServer(serveCatalog((request) => catalogOf(request < 3 ? 1 : 2, 250), withTag));
    const events = await collect(clientOf(server).allOffers({}, { concurrency: 1 }));
    expect(events.map((event) => (event.kind === "page" ? event.page : `restart ${event.restarts}`))).toEqual([
      0,
      1,
      "restart 1",
      0,
      1,
      2,
    ]);
    expect(await read(clientOf(server).allOffers())).toMatchObject({ offers: catalogOf(2, 250).offers });
  });

  test("has time to settle before the reading restarts", async () => {
    vi.spyOn(Math, "random").mockReturnValue(0.9);
    const server = await startServer(serveCatalog((request) => catalogOf(request < 2 ? 1 : 2, 150), withTag));
    const pages = clientOf(server).allOffers();
    await pages.next();
    expect((await pages.next()).value).toEqual({ kind: "restart", restarts: 1 });
    const startMs = performance.now();
    expect((await pages.next()).value).toMatchObject({ kind: "page", page: 0 });
    expect(performance.now() - startMs).toBeGreaterThan(220);
  });

  test("leaves no listener on a signal that lives longer", async () => {
    const { signal } = new AbortController();
    const added = vi.spyOn(signal, "addEventListener");
    const removed = vi.spyOn(signal, "removeEventListener");
    const server = await startServer(serveCatalog((request) => catalogOf(request < 2 ? 1 : 2, 250), withTag));
    await read(clientOf(server).allOffers({}, { signal }));
    const listeners = added.mock.calls.map(([, listener]) => listener);
    expect(listeners.length).toBeGreaterThan(0);
    expect(removed.mock.calls.map(([, listener]) => listener)).toEqual(expect.arrayContaining(listeners));
  });

  test("is detected by its totals if there are no tags", async () => {
    const server = await startServer(
      serveCatalog(
        (request) => (request < 2 ? catalogOf(1, 250) : catalogOf(2, 251)),
        () => ({}),
      ),
    );
    expect(await read(clientOf(server).allOffers({}, { concurrency: 1 }))).toMatchObject({ restarts: 1 });
  });

  test("is not assumed if a service tags each page separately", async () => {
    const catalog = catalogOf(1, 450);
    const perPage = (_: Catalog, page: number): ResponseParts => ({ headers: { ETag: `"page-${page}"` } });
    const server = await startServer(serveCatalog(() => catalog, perPage));
    expect(await read(clientOf(server).allOffers())).toEqual({ offers: catalog.offers, restarts: 0 });
  });

  test("is not assumed if a cache on the way makes some tags weak", async () => {
    const catalog = catalogOf(1, 450);
    const weakened = (_: Catalog, page: number): ResponseParts => ({
      headers: { ETag: `${page % 2 === 0 ? "W/" : ""}${tagOf(catalog)}` },
    });
    const server = await startServer(serveCatalog(() => catalog, weakened));
    expect(await read(clientOf(server).allOffers())).toEqual({ offers: catalog.offers, restarts: 0 });
  });

  test("is assumed if one page has no tag", async () => {
    const catalog = catalogOf(1, 250);
    let isStripped = true;
    const strippedOnce = (_: Catalog, page: number): ResponseParts => {
      if (page === 2 && isStripped) {
        isStripped = false;
        return {};
      }
      return withTag(catalog);
    };
    const server = await startServer(serveCatalog(() => catalog, strippedOnce));
    expect(await read(clientOf(server).allOffers())).toEqual({ offers: catalog.offers, restarts: 1 });
  });

  test("never leads to mixed pages, whenever and however often it changes", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ requests: fc.integer({ min: 1, max: 6 }), count: fc.integer({ min: 0, max: 450 }) }), {
          minLength: 1,
          maxLength: 5,
        }),
        fc.integer({ min: 1, max: 5 }),
        async (plan, concurrency) => {
          const catalogs = plan.flatMap(({ requests, count }, revision) =>
            Array.from({ length: requests }, () => catalogOf(revision, count)),
          );
          const last = catalogs.at(-1) ?? catalogOf(0, 0);
          const server = await startServer(serveCatalog((request) => catalogs[request - 1] ?? last, withTag));
          const { offers } = await read(clientOf(server).allOffers({}, { concurrency }));
          expect(catalogs.map((catalog) => catalog.offers)).toContainEqual(offers);
        },
      ),
      { seed: 20_261_120, numRuns: 60 },
    );
  });

  test("that never stops changing is a CatalogChangedError", async () => {
    const server = await startServer(serveCatalog((request) => catalogOf(request, 250), withTag));
    const error = await failure("changed", read(clientOf(server).allOffers({}, { concurrency: 1 })));
    expect(error).toMatchObject({ restarts: 8 });
    expect(error.message).toBe("The catalog changed while its pages were read, 9 times in a row.");
    expect(server.requests).toHaveLength(18);
  });
});

describe("a page that contradicts itself is a ResponseError:", () => {
  const offers = offersOf(250);
  const sound = pageOf(offers, 1, 100);

  test.for([
    ["too few offers", { offers: sound.offers.slice(1) }],
    ["too many offers", { offers: [...sound.offers, offerOf(999)] }],
    ["another page", { page: 2 }],
    ["too few pages", { totalPages: 2 }],
    ["nothing further", { hasMore: false }],
  ] as const)("%s", async ([, lie]) => {
    const server = await startServer((response, { url }) => {
      const page = pageNumber(url);
      sendJson(response, { ...pageOf(offers, page, 100), ...(page === 1 ? lie : {}) });
    });
    const error = await failure("response", read(clientOf(server).allOffers()));
    expect(error.url).toContain("page=1&");
    expect(error.problem).toMatch(/^contradicts itself: page \d of \d has \d+ of 250 offers/);
  });
});

describe("reading ends early", () => {
  const catalog = catalogOf(1, 1_000);

  /** Responds to the first pages; the others wait forever. */
  const hangAfter =
    (pages: number): Handler =>
    (response, { url }) => {
      if (pageNumber(url) < pages) {
        sendJson(response, pageOf(catalog.offers, pageNumber(url), 100));
      }
    };

  test("when the reader stops, and ends pending requests", async () => {
    const server = await startServer(hangAfter(2));
    for await (const event of clientOf(server).allOffers()) {
      if (event.kind === "page" && event.page === 1) {
        await server.arrived(5);
        break;
      }
    }
    expect(server.requests).toHaveLength(5);
    await Promise.all(server.closes);
  });

  test("when the signal aborts, with its reason", async () => {
    const reason = new Error("enough");
    const abort = new AbortController();
    const server = await startServer(hangAfter(1));
    const reading = rejection(read(clientOf(server).allOffers({}, { signal: abort.signal })));
    await server.arrived(5);
    abort.abort(reason);
    expect(await reading).toBe(reason);
    await Promise.all(server.closes);
  });

  test("when the signal aborts while unread pages are ready", async () => {
    const abort = new AbortController();
    const server = await startServer(serveCatalog(() => catalog, withTag));
    const pages = clientOf(server).allOffers({}, { signal: abort.signal, concurrency: 2 });
    await pages.next();
    await pages.next();
    await server.arrived(3);
    await expect.poll(() => server.requests[2]?.complete).toBe(true);
    abort.abort("enough");
    expect(await rejection(pages.next())).toBe("enough");
    expect(await pages.next()).toEqual({ done: true, value: undefined });
  });

  test("when a page fails, with its error, after yielding the pages before it", async () => {
    const server = await startServer((response, { url }) => {
      const page = pageNumber(url);
      return page === 3 ? sendError(response, 500) : sendJson(response, pageOf(catalog.offers, page, 100));
    });
    const pages: number[] = [];
    const reading = (async () => {
      for await (const event of clientOf(server).allOffers()) {
        pages.push(event.kind === "page" ? event.page : -1);
      }
    })();
    await failure("service", reading);
    expect(pages).toEqual([0, 1, 2]);
  });
});

describe("a wrong call", () => {
  test.for<[string, object, AllOffersOptions, string]>([
    ["a slug", { gpu: "h100_sxm" }, {}, "gpu must be a comma-separated list of GPU slugs"],
    ["a page", { page: 1 }, {}, "page must be omitted, because all pages are read."],
    ["a size", { size: 10 }, {}, "size must be omitted, because all pages are read."],
    ["no concurrency", {}, { concurrency: 0 }, "concurrency must be a whole number from 1 to 16."],
    ["half a concurrency", {}, { concurrency: 1.5 }, "concurrency must be a whole number from 1 to 16."],
    ["too much concurrency", {}, { concurrency: 17 }, "concurrency must be a whole number from 1 to 16."],
  ])("throws at once: %s", ([, query, options, message]) => {
    const client = createClient({ baseUrl: "http://offers.example", fetch: () => expect.unreachable() });
    expect(() => client.allOffers(query, options)).toThrow(message);
  });
});
