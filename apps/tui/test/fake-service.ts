import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { listOffers, listOffersQuerySchema, type Offer, type OsImage } from "@gpu-offers/domain";
import { sendJson } from "@gpu-offers/testkit/http-server";
import { atEnd } from "@gpu-offers/testkit/leftovers";
import { imageNamed, offersOf } from "./offers.ts";

// A service whose weather can be changed while a picker talks to it.

/** Responses a request in its own way; false leaves it to the service. */
export type Weather = (request: IncomingMessage, response: ServerResponse) => boolean;

/** Offers, images and a credit on the loopback. */
export class FakeService {
  offers: Offer[] = offersOf(30);
  images: OsImage[] = [imageNamed("ubuntu", true), imageNamed("cuda")];
  /** What a request meets before the service; undefined for fair weather. */
  weather: Weather | undefined;
  /** When each list was requested, in milliseconds. */
  readonly listedMs: number[] = [];
  readonly #server = createServer((request, response) => this.#meet(request, response));
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

  #meet(request: IncomingMessage, response: ServerResponse): void {
    if (request.url?.startsWith("/api/v1/offers?") === true) {
      this.listedMs.push(performance.now());
    }
    if (this.weather?.(request, response) !== true) {
      this.response(request, response);
    }
  }

  /** Responses as a service does, whatever the weather. */
  response(request: IncomingMessage, response: ServerResponse): void {
    const value = this.#valueOf(new URL(request.url ?? "", this.url));
    sendJson(response, value ?? errorBody("not_found", "Not found."), { status: value === undefined ? 404 : 200 });
  }

  #valueOf({ pathname, searchParams }: URL): unknown {
    const id = /^\/api\/v1\/offers\/(.+)$/.exec(pathname)?.[1];
    if (id !== undefined) {
      return this.offers.find((offer) => offer.id === id);
    }
    if (pathname.endsWith("/images")) {
      return { data: this.images };
    }
    if (pathname.endsWith("/balance")) {
      return { balance: "100.0000", currency: "USD" };
    }
    return listOffers(this.offers, listOffersQuerySchema.parse(Object.fromEntries(searchParams)));
  }
}

/** A fake service that listens. */
export function startFake(): Promise<FakeService> {
  return new FakeService().start();
}

/** An error of the interface: for every request, or for the first `times` lists that are requested. */
export function storm(
  status: number,
  code: string,
  { headers = {}, times = Number.POSITIVE_INFINITY }: { headers?: Record<string, string>; times?: number } = {},
): Weather {
  let left = times;
  return (request, response) => {
    const isList = request.url?.startsWith("/api/v1/offers?") === true;
    if (left <= 0 || (Number.isFinite(times) && !isList)) {
      return false;
    }
    left -= 1;
    sendJson(response, errorBody(code, "No."), { status, headers });
    return true;
  };
}

/** Fog: every response is what `write` makes of it. */
export function fog(write: (response: ServerResponse) => void): Weather {
  return (_, response) => {
    write(response);
    return true;
  };
}

/** A calm: every response takes its time, and is then the service's own. */
export function calm(fake: FakeService, delayMs: number): Weather {
  return (request, response) => {
    setTimeout(() => fake.response(request, response), delayMs);
    return true;
  };
}

/** The body of an error of the interface. */
export function errorBody(code: string, message: string): object {
  return { code, message, requestId: "1" };
}
