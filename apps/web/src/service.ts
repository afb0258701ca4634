import type { LaunchPlan, ListingDetails, Offer, PriceHistory } from "@gpu-offers/domain";
import { decodeCompactList, type CompactList } from "@gpu-offers/list";
import { tabStorage } from "./storage.js";

// Requests to the service, whose paths are relative to the page.

const KEY_NAME = "gpu-offers-key";

/** An error response, or none at all. */
export class RequestError extends Error {
  override readonly name = "RequestError";

  /** @param status HTTP status; 0 without a response. */
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }

  /** Whether the same request may succeed later. */
  get isPassing(): boolean {
    return this.status === 0 || this.status === 429 || this.status >= 500;
  }
}

/** Milliseconds after which a request without a response has failed. */
const PATIENCE_MS = 20_000;

/** Keeps the API key for this session, in this tab. */
export function keepKey(key: string): void {
  tabStorage.setItem(KEY_NAME, key);
}

/** Removes a rejected key. @returns why another is needed: a sentence. */
export function dropKey(): string {
  const isRejected = tabStorage.getItem(KEY_NAME) !== null;
  tabStorage.removeItem(KEY_NAME);
  return isRejected ? "The service rejected this key." : "This service needs an API key.";
}

/** The header with the key of this tab; none without one. */
function keyHeader(): Record<string, string> {
  const key = tabStorage.getItem(KEY_NAME);
  return key === null ? {} : { Authorization: `Bearer ${key}` };
}

async function send(path: string, headers: Record<string, string> = {}): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(path, {
      signal: AbortSignal.timeout(PATIENCE_MS),
      headers: { Accept: "application/json", ...headers, ...keyHeader() },
    });
  } catch (error) {
    const isLate = error instanceof DOMException && error.name === "TimeoutError";
    throw new RequestError(0, isLate ? "The service doesn't respond." : "The service can't be reached.");
  }
  if (!response.ok && response.status !== 304) {
    const body = (await response.json().catch(() => null)) as { message?: unknown } | null;
    const { message = `The service returned ${response.status}.` } = body ?? {};
    throw new RequestError(response.status, String(message));
  }
  return response;
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

async function getJson<Body>(path: string): Promise<Body> {
  return bodyOf<Body>(await send(`api/v2/${path}`));
}

/** The body of a response. @throws RequestError if it ends early. */
async function bodyOf<Body>(response: Response): Promise<Body> {
  return (await response.json().catch(() => {
    throw new RequestError(0, "The response of the service is incomplete.");
  })) as Body;
}

/** All listings, and the tag to ask for newer ones with; undefined if those of `tag` are still the newest. */
export async function loadList(tag: string | undefined): Promise<{ list: CompactList; tag: string } | undefined> {
  const response = await send("web/listings.json", tag === undefined ? {} : { "If-None-Match": tag });
  if (response.status === 304) {
    return undefined;
  }
  return { list: decodeCompactList(await bodyOf(response)), tag: response.headers.get("ETag") ?? "" };
}

/** The offer at a position, with its id; undefined if the catalog is no longer the one of `etag`. */
export async function findOfferAt(at: number, etag: string): Promise<Offer | undefined> {
  const response = await send(`api/v1/offers?size=1&page=${at}`);
  const body = await bodyOf<{ offers?: Offer[] }>(response);
  return plainTag(response.headers.get("ETag")) === plainTag(etag) ? body.offers?.[0] : undefined;
}

/** A proxy that compresses makes a tag weak. */
function plainTag(tag: string | null): string {
  return (tag ?? "").replace(/^W\//, "").replace(/-(?:br|gzip)"$/, '"');
}

export function getListing(id: string): Promise<ListingDetails> {
  return getJson(`listings/${encodeURIComponent(id)}`);
}

/** How to launch a listing. */
export function getLaunchPlan(
  id: string,
  choice: Readonly<Record<"disk" | "fits" | "hours" | "spot" | "top", number | string | true | undefined>>,
): Promise<LaunchPlan> {
  const given = Object.entries(choice).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]));
  return getJson(`listings/${encodeURIComponent(id)}/launch?${new URLSearchParams(given)}`);
}

/** What an offer cost over time; undefined if that wasn't observed. */
export function getHistory(id: string): Promise<PriceHistory | undefined> {
  return getJson<PriceHistory>(`history?offer=${encodeURIComponent(id)}`).catch((error: unknown) => {
    if (error instanceof RequestError && error.status === 404) {
      return undefined;
    }
    throw error;
  });
}

/**
 * The HTML of an address, as the service makes it for browsers, with the key of this tab. It is parsed by the request itself,
 * because the page's policy lets no script make HTML of texts.
 * @throws RequestError if the service can't be asked.
 */
export function loadHtml(path: string): Promise<Document> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("GET", path);
    request.responseType = "document";
    request.timeout = PATIENCE_MS;
    Object.entries({ Accept: "text/html", ...keyHeader() }).forEach((header) => request.setRequestHeader(...header));
    request.addEventListener("loadend", () => {
      if (request.status === 200 && request.responseXML !== null) {
        resolve(request.responseXML);
      } else {
        reject(new RequestError(request.status, "The service can't be reached."));
      }
    });
    request.send();
  });
}
