import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { availabilityOf, listComparator, UNKNOWN_LISTING_FACTS, type Offer, type OsImage } from "@gpu-offers/domain";
import { listen } from "@gpu-offers/testkit/free-port";
import { sendJson } from "@gpu-offers/testkit/http-server";
import { atEnd } from "@gpu-offers/testkit/leftovers";
import { imageNamed, offerAt, offersOf } from "./offers.ts";

// Services whose responses tests choose: offers of which nothing else is stated, errors, and what no service should send.

/** Responds to a request; returns false to leave it to the service. */
export type Interceptor = (request: IncomingMessage, response: ServerResponse) => boolean;

const isList = ({ url = "" }: IncomingMessage): boolean => url.startsWith("/api/v2/listings?");

/** Offers, images and a credit on the loopback, until the tests of the file have ended. */
export class FakeService {
  offers: Offer[] = offersOf(30);
  images: OsImage[] = [imageNamed("ubuntu", true), imageNamed("cuda")];
  /** Other resources, by the ends of their paths. */
  resources: Record<string, unknown> = { "/balance": { balance: "100.0000", currency: "USD" } };
  /** Called before the service responds; undefined if the service works normally. */
  intercept: Interceptor | undefined;
  /** When each list was requested, in milliseconds. */
  readonly listedMs: number[] = [];
  readonly #server = createServer((request, response) => this.#handle(request, response));
  #port = 0;

  /** Listens on a free port, or again on the one it had. */
  async start(): Promise<this> {
    atEnd(() => this.stop());
    this.#port = await listen(this.#server, this.#port);
    return this;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #handle(request: IncomingMessage, response: ServerResponse): void {
    if (isList(request)) {
      this.listedMs.push(performance.now());
    }
    if (this.intercept?.(request, response) !== true) {
      this.response(request, response);
    }
  }

  /** Responds as a service does, without interception. */
  response(request: IncomingMessage, response: ServerResponse): void {
    const value = this.#valueOf(new URL(request.url ?? "", this.url));
    sendJson(response, value ?? errorBody("not_found", "Not found."), { status: value === undefined ? 404 : 200 });
  }

  #valueOf({ pathname, searchParams }: URL): unknown {
    const id = /^\/api\/v2\/listings\/(.+)$/.exec(pathname)?.[1];
    if (id !== undefined) {
      const found = this.offers.find((offer) => offer.id === id);
      return found && { ...listingOf(found), images: [] };
    }
    const [page, size] = ["page", "size"].map((name) => Number(searchParams.get(name)));
    const resources = {
      ...this.resources,
      "/images": { data: this.images },
      "/listings": listingPageOf(this.offers, page, size),
    };
    return Object.entries(resources).find(([end]) => pathname.endsWith(end))?.[1];
  }
}

export function startFake(changes: Partial<FakeService> = {}): Promise<FakeService> {
  return Object.assign(new FakeService(), changes).start();
}

/** An error of the interface: for every request, or for the first `times` lists that are requested. */
export function errorResponse(
  status: number,
  code: string,
  {
    headers = {},
    times = Number.POSITIVE_INFINITY,
    message = "No.",
  }: { headers?: Record<string, string>; times?: number; message?: string } = {},
): Interceptor {
  let left = times;
  return (request, response) => {
    if (left <= 0 || (Number.isFinite(times) && !isList(request))) {
      return false;
    }
    left -= 1;
    sendJson(response, errorBody(code, message), { status, headers });
    return true;
  };
}

/** Responds to every request with `write`. */
export function customResponse(write: (response: ServerResponse) => unknown): Interceptor {
  return (_, response) => {
    write(response);
    return true;
  };
}

export function errorBody(code: string, message: string): object {
  return { code, message, requestId: "1" };
}

function listingOf(offer: Offer): object {
  const known = { pricesAsOf: null, isStale: false, stock: "unknown", source: "test", facts: null };
  const total = { hourly: offer.priceHourly, isAtLeast: false };
  const availability = availabilityOf({ offer });
  return { offer, ...UNKNOWN_LISTING_FACTS, availability, ...known, total };
}

export function listingPageOf(offers: readonly Offer[], page = 0, size = 100): object {
  const inOrder = [...offers].sort(listComparator({ sort_by: "pricePerGpu", sort_order: "asc" }));
  const totalPages = Math.ceil(offers.length / size);
  return {
    listings: inOrder.slice(page * size, (page + 1) * size).map(listingOf),
    page,
    totalPages,
    totalElements: offers.length,
    hasMore: page + 1 < totalPages,
    understood: [],
  };
}

/** The address of a service that lists one offer, and has another one of the same id, or none, when it is requested by id. */
export async function changing(listed: Offer, now: Offer | undefined): Promise<string> {
  const fake = await startFake({ images: [] });
  fake.intercept = (request) => {
    fake.offers = isList(request) ? [listed] : [now ?? []].flat();
    return false;
  };
  return fake.url;
}

/** Services that never respond to a request: one sends nothing, the other begins a response that never ends. */
export async function startHungServers() {
  const begin = (response: ServerResponse) =>
    response.writeHead(200, { "content-type": "application/json" }).write("{");
  const silent = await startFake({ intercept: () => true });
  const stuck = await startFake({ intercept: customResponse(begin) });
  return { silent, stuck };
}

/** What a hostile service puts into every text: a bell, a title, a color, C1 controls, a turned direction, a new line. */
export const HOSTILE = "x\u0007\u001b]0;owned\u0007\u001b[31m\u009b2J\u202eabc\u2066\u2028\r\ny";

/** The address of a service whose every text is {@link HOSTILE}: offers, images, providers, the account. */
export async function hostile(): Promise<string> {
  const image = { ...imageNamed(HOSTILE, true), displayName: HOSTILE, hasCuda: true, cudaVersion: HOSTILE };
  const offers = [0, 1].map((index) =>
    offerAt(index, {
      provider: { name: HOSTILE, slug: HOSTILE },
      gpu: { name: HOSTILE, slug: HOSTILE, vramGB: 80, architecture: HOSTILE },
      region: HOSTILE,
      regionInfo: { countryCode: HOSTILE, countryName: HOSTILE, cityState: HOSTILE, continent: HOSTILE },
      deploymentType: HOSTILE,
      interconnect: HOSTILE,
    }),
  );
  const account = { id: offerAt(0).id, email: "ada@example.com", display_name: HOSTILE };
  const fake = await startFake({
    offers,
    images: [image, { ...image, id: `${HOSTILE}2`, isDefault: false }],
    resources: {
      "/providers": { data: [{ name: HOSTILE, type: HOSTILE }] },
      "/balance": { balance: "12.0000", currency: "USD" },
      "/account": { ...account, created_at: "2026-11-20T00:00:00.000Z" },
    },
  });
  return fake.url;
}
