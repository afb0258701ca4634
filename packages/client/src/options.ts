import type { ErrorDetail } from "@gpu-offers/domain";
import { ArgumentError } from "./errors.js";

/** A function with the contract of the platform's fetch. */
export type Fetch = typeof globalThis.fetch;

/** What a client is made of. */
export interface ClientOptions {
  /** Where the service is: http or https, with or without a path prefix and a slash at the end. */
  readonly baseUrl: string | URL;
  /** API key; sent in the Authorization header and nowhere else. Left out: none is sent. */
  readonly apiKey?: string | undefined;
  /** What to send requests with; default is the platform's fetch. */
  readonly fetch?: Fetch | undefined;
  /** Milliseconds that each attempt has until its response is whole; default 10,000. */
  readonly timeoutMs?: number | undefined;
  /** How often a call is tried again after a problem that may pass, 0 to 10; default 2. */
  readonly retries?: number | undefined;
}

/** Checked options. */
export interface Settings {
  /** URL without a slash at the end. */
  baseUrl: string;
  apiKey: string | undefined;
  fetch: Fetch;
  timeoutMs: number;
  retries: number;
}

const DEFAULT_TIMEOUT_MS = 10_000;
const DEFAULT_RETRIES = 2;
const MAX_RETRIES = 10;

/** The longest time that a platform's timer can wait: beyond it, timers fire at once. */
const MAX_TIMEOUT_MS = 2_147_483_647;

/**
 * Checks the options and fills in the defaults.
 * @throws ArgumentError that names every invalid option; it never repeats the key.
 */
export function readOptions(options: ClientOptions): Settings {
  const { baseUrl, apiKey, timeoutMs = DEFAULT_TIMEOUT_MS, retries = DEFAULT_RETRIES } = options;
  const problems = {
    baseUrl: baseUrlProblem(baseUrl),
    apiKey: apiKey === undefined ? undefined : apiKeyProblem(apiKey),
    timeoutMs: wholeNumberProblem(timeoutMs, 1, MAX_TIMEOUT_MS),
    retries: wholeNumberProblem(retries, 0, MAX_RETRIES),
  };
  const details = Object.entries(problems).flatMap(([name, reason]): ErrorDetail[] =>
    reason === undefined ? [] : [{ in: "option", name, reason }],
  );
  if (details.length > 0) {
    throw new ArgumentError(details);
  }
  const { origin, pathname } = new URL(baseUrl);
  return {
    baseUrl: origin + pathname.replace(/\/+$/, ""),
    apiKey,
    // Browsers reject a fetch that is called as a method of anything but the window.
    fetch: options.fetch ?? ((input, init) => globalThis.fetch(input, init)),
    timeoutMs,
    retries,
  };
}

function baseUrlProblem(baseUrl: string | URL): string | undefined {
  const url = parseUrl(baseUrl);
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    return "must be an http or https URL such as http://127.0.0.1:3000";
  }
  if (url.username !== "" || url.password !== "") {
    return "must not hold a user name or password; give the key as apiKey";
  }
  if (url.search !== "" || url.hash !== "") {
    return "must end with its path, without ? and #";
  }
  return undefined;
}

function parseUrl(url: string | URL): URL | undefined {
  try {
    return new URL(url);
  } catch {
    return undefined;
  }
}

function apiKeyProblem(apiKey: unknown): string | undefined {
  if (apiKey === "") {
    return "must not be empty; leave it out where there is none";
  }
  return typeof apiKey === "string" && /^[\x21-\x7e]+$/.test(apiKey)
    ? undefined
    : "must hold visible ASCII characters only: no space, no line break, no other script";
}

function wholeNumberProblem(value: number, minimum: number, maximum: number): string | undefined {
  return Number.isInteger(value) && value >= minimum && value <= maximum
    ? undefined
    : `must be a whole number from ${minimum} to ${maximum}`;
}
