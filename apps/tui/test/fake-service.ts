import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Offer, OsImage } from "@gpu-offers/domain";
import { sendJson } from "@gpu-offers/testkit/http-server";
import { atEnd } from "@gpu-offers/testkit/leftovers";
import { listingDetailsOf, listingPageOf } from "./listed.ts";
import { imageNamed, offersOf } from "./offers.ts";

// A service whose responses can be intercepted while a picker uses it.

/** Responds to a request; returns false to leave it to the service. */
export type Interceptor = (request: IncomingMessage, response: ServerResponse) => boolean;

/** Offers, images and a credit on the loopback. */
export class FakeService {
  offers: Offer[] = offersOf(30);
  images: OsImage[] = [imageNamed("ubuntu", true), imageNamed("cuda")];
  /** Called before the service responds; undefined if the service works normally. */
  intercept: Interceptor | undefined;
  /** When each list was requested, in milliseconds. */
  readonly listedMs: number[] = [];
  readonly #server = createServer((request, response) => this.#handle(request, response));
  #port = 0;

  /** Listens on a free port, or again on the one it had. */
  async start(): Promise<this> {
    atEnd(() => this.stop());
    await new Promise<void>((resolve) => this.#server.listen(this.#port, "127.0.0.1", resolve));
    this.#port = (this.#server.address() as AddressInfo).port;
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
    if (request.url?.startsWith("/api/v2/listings?") === true) {
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
      return found && listingDetailsOf(found);
    }
    if (pathname.endsWith("/images")) {
      return { data: this.images };
    }
    if (pathname.endsWith("/balance")) {
      return { balance: "100.0000", currency: "USD" };
    }
    const [page, size] = ["page", "size"].map((name) => Number(searchParams.get(name)));
    return listingPageOf(this.offers, page, size);
  }
}

/** A fake service that listens. */
export function startFake(): Promise<FakeService> {
  return new FakeService().start();
}

/** An error of the interface: for every request, or for the first `times` lists that are requested. */
export function errorResponse(
  status: number,
  code: string,
  { headers = {}, times = Number.POSITIVE_INFINITY }: { headers?: Record<string, string>; times?: number } = {},
): Interceptor {
  let left = times;
  return (request, response) => {
    const isList = request.url?.startsWith("/api/v2/listings?") === true;
    if (left <= 0 || (Number.isFinite(times) && !isList)) {
      return false;
    }
    left -= 1;
    sendJson(response, errorBody(code, "No."), { status, headers });
    return true;
  };
}

/** Responds to every request with `write`. */
export function customResponse(write: (response: ServerResponse) => void): Interceptor {
  return (_, response) => {
    write(response);
    return true;
  };
}

/** Delays every response of the service. */
export function delayed(fake: FakeService, delayMs: number): Interceptor {
  return (request, response) => {
    setTimeout(() => fake.response(request, response), delayMs);
    return true;
  };
}

/** The body of an error of the interface. */
export function errorBody(code: string, message: string): object {
  return { code, message, requestId: "1" };
}
