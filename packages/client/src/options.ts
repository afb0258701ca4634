import { throwProblems } from "./errors.js";

/** A function with the contract of the platform's fetch, as far as the client uses it. */
export type Fetch = (url: string, request: FetchRequest) => Promise<FetchResponse>;

/** What the client passes to fetch. */
export interface FetchRequest {
  /** Always GET: the API only reads. */
  method: "GET";
  /** Accept, If-None-Match, and Authorization with an API key. */
  headers: Readonly<Record<string, string>>;
  /** Redirects are not followed, so that a key never goes elsewhere. */
  redirect: "manual";
  /** Aborts the request at its timeout, or when the caller does. */
  signal: AbortSignal;
}

/** What the client reads of a response. */
export interface FetchResponse {
  /** HTTP status code; 0 for a redirect in a browser. */
  status: number;
  /** `opaqueredirect` for a redirect in a browser. */
  type: string;
  /** Its headers, by names in any case. */
  headers: Pick<Headers, "get">;
  /** Its body in UTF-8; null if it has none. */
  body: {
    /** Starts reading it, part by part. */
    getReader: () => { read: () => Promise<FetchChunk>; cancel: () => Promise<void> };
    /** Ends the transfer without reading it. */
    cancel: () => Promise<void>;
  } | null;
}

/** A part of a body. */
export interface FetchChunk {
  /** True after the last part. */
  done?: boolean | undefined;
  /** Its bytes; undefined after the last part. */
  value?: Uint8Array | undefined;
}

/** Options of a client. */
export interface ClientOptions {
  /** URL of the service: http or https, with an optional path prefix and trailing slash. */
  baseUrl: string | URL;
  /** API key, sent only in the Authorization header. */
  apiKey?: string | undefined;
  /** Function that sends requests; default: the platform's fetch. */
  fetch?: Fetch | undefined;
  /** Timeout of each attempt in milliseconds, until the response is complete; default: 10,000. */
  timeoutMs?: number | undefined;
  /** Maximum number of retries after transient errors, from 0 to 10; default: 2. */
  retries?: number | undefined;
}

/** Checked options. */
export type Settings = ReturnType<typeof readOptions>;

const DEFAULT_TIMEOUT_MS = 10_000;
const DEFAULT_RETRIES = 2;
const MAX_RETRIES = 10;

/** Maximum delay of timers; beyond it, they fire at once. */
const MAX_TIMEOUT_MS = 2_147_483_647;

/**
 * Checks the options and fills in the defaults.
 * @throws ArgumentError that names every invalid option; it never repeats the key.
 */
export function readOptions(options: ClientOptions) {
  const { baseUrl, apiKey, timeoutMs = DEFAULT_TIMEOUT_MS, retries = DEFAULT_RETRIES } = options;
  const problems = {
    baseUrl: baseUrlProblem(baseUrl),
    apiKey: apiKey === undefined ? undefined : apiKeyProblem(apiKey),
    timeoutMs: wholeNumberProblem(timeoutMs, 1, MAX_TIMEOUT_MS),
    retries: wholeNumberProblem(retries, 0, MAX_RETRIES),
  };
  throwProblems("option", problems);
  const { origin, pathname } = new URL(baseUrl);
  return {
    /** URL without a trailing slash. */
    baseUrl: origin + pathname.replace(/\/+$/, ""),
    apiKey,
    // Browsers reject fetch if it is called as a method of anything but the window.
    fetch: options.fetch ?? ((...request: Parameters<Fetch>) => globalThis.fetch(...request)),
    timeoutMs,
    retries,
  };
}

function baseUrlProblem(baseUrl: string | URL): string | undefined {
  const url = URL.canParse(String(baseUrl)) ? new URL(baseUrl) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    return "must be an http or https URL such as http://127.0.0.1:3000";
  }
  if (url.username !== "" || url.password !== "") {
    return "must not contain a user name or password; pass the key as apiKey";
  }
  if (url.search !== "" || url.hash !== "") {
    return "must not have a query (?) or a fragment (#)";
  }
  return undefined;
}

function apiKeyProblem(apiKey: unknown): string | undefined {
  if (apiKey === "") {
    return "must not be empty; omit it if there is none";
  }
  return typeof apiKey === "string" && /^[\x21-\x7e]+$/.test(apiKey)
    ? undefined
    : "must contain visible ASCII characters only, without spaces and line breaks";
}

/** What is wrong with a number from `minimum` to `maximum`; undefined if nothing is. */
export function wholeNumberProblem(value: number, minimum: number, maximum: number): string | undefined {
  return Number.isInteger(value) && value >= minimum && value <= maximum
    ? undefined
    : `must be a whole number from ${minimum} to ${maximum}`;
}
