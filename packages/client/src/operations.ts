import { ArgumentError } from "./errors.js";

/** All operations of the service by the name of their method. Path parameters are in braces, as in OpenAPI. */
export const OPERATIONS = {
  listOffers: { method: "GET", path: "/api/v1/offers" },
  getOffer: { method: "GET", path: "/api/v1/offers/{id}" },
  listProviders: { method: "GET", path: "/api/v1/providers" },
  listOsImages: { method: "GET", path: "/api/v1/providers/{provider}/images" },
  listListings: { method: "GET", path: "/api/v2/listings" },
  getListing: { method: "GET", path: "/api/v2/listings/{id}" },
  getLaunchPlan: { method: "GET", path: "/api/v2/listings/{id}/launch" },
  getPlan: { method: "GET", path: "/api/v2/plan" },
  getListingStock: { method: "GET", path: "/api/v2/listings/{id}/stock" },
  listGpus: { method: "GET", path: "/api/v2/gpus" },
  getGpu: { method: "GET", path: "/api/v2/gpus/{slug}" },
  getGpuPrices: { method: "GET", path: "/api/v2/gpus/{slug}/prices" },
  getGpuStock: { method: "GET", path: "/api/v2/gpus/{slug}/stock" },
  listSources: { method: "GET", path: "/api/v2/sources" },
  getPriceHistory: { method: "GET", path: "/api/v2/history" },
  getAccount: { method: "GET", path: "/api/v1/account" },
  getBalance: { method: "GET", path: "/api/v1/account/balance" },
} as const satisfies Record<string, { method: "GET"; path: `/${string}` }>;

/** Name of an operation, and of the client's method for it. */
export type OperationName = keyof typeof OPERATIONS;

type PathParameters<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? { [Key in Name]: string } & PathParameters<Rest>
  : object;

/** Path parameters of an operation. */
export type OperationParameters<Name extends OperationName> = PathParameters<(typeof OPERATIONS)[Name]["path"]>;

/**
 * The path of an operation with its parameters filled in, percent-encoded.
 * @throws ArgumentError for a value that cannot be one segment of a path.
 */
export function operationPath<Name extends OperationName>(name: Name, parameters: OperationParameters<Name>): string {
  const values: Readonly<Record<string, unknown>> = { ...parameters };
  return OPERATIONS[name].path.replaceAll(/\{(\w+)\}/g, (_, part: string) => encodeSegment(part, values[part]));
}

/**
 * Formats parameters as a query string with its leading `?`, or an empty text. Undefined parameters are omitted.
 * @throws ArgumentError for a value that a URL can't contain.
 */
export function searchOf(parameters: readonly (readonly [string, unknown])[]): string {
  const pairs = parameters
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${encode(String(value), { in: "query", name })}`);
  return pairs.length === 0 ? "" : `?${pairs.join("&")}`;
}

function encodeSegment(name: string, value: unknown): string {
  const place = { in: "path", name };
  if (typeof value !== "string" || value === "") {
    throw new ArgumentError([{ ...place, reason: "must be a non-empty string" }]);
  }
  // URLs can't have these as segments: even percent-encoded they move up the path.
  if (value === "." || value === "..") {
    throw new ArgumentError([{ ...place, reason: "must not be . or .." }]);
  }
  return encode(value, place);
}

function encode(text: string, place: { in: string; name: string }): string {
  try {
    return encodeURIComponent(text);
  } catch (error) {
    throw new ArgumentError([{ ...place, reason: "must not contain a lone surrogate" }], error);
  }
}
