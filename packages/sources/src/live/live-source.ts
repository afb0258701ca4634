// Defines a live source: what to request, how to read the responses, and the facts that a runner needs to be polite to
// it. Sources are pure: they have no clock and no network, so recorded responses test them completely.

import type { GpuAliases } from "../gpu-alias.js";
import type { ProviderType, SourceItem } from "../source-item.js";

/** One request of a source. The runner sends it unchanged, plus `user-agent`, `accept-encoding` and validators. */
export interface LiveRequest {
  /** Names the content of the response (`types`, `regions`): {@link LiveSource.read} finds it by this name. */
  part: string;
  /**
   * True if the response lists what is sold. A recording with only one file is the body of the first such request;
   * responses to other requests only add details (regions, stock) and may be missing from a recording.
   */
  main: boolean;
  /**
   * The part of the source that fails on its own, such as a zone or a GPU name. Undefined: a failure fails the whole run.
   * Several requests may share a scope; a failure of one fails the scope.
   */
  scope?: string;
  /** HTTP method. */
  method: "GET" | "POST";
  /** Full URL. */
  url: string;
  /**
   * Another place where recordings may have the same list, such as a former path: method and path without the version,
   * `GET search/asks`.
   */
  alsoAt?: readonly string[];
  /**
   * True if only details are missing without the response, such as images: if it fails, or has another form, the run goes
   * on and says so.
   */
  optional?: true;
  /** Lower-case names. May hold secrets: never log or record them. */
  headers?: Readonly<Record<string, string>>;
  /** JSON text of a POST. May contain secrets if `confidential` is set. */
  body?: string;
  /** True if the response is stored even without validators, because imports of files read it: an exchange rate. */
  keep?: true;
  /** True if the response itself is a secret (an access token): it must not be logged, recorded or stored. */
  confidential?: boolean;
}

/** A response with status 2xx and a decompressed body. For a 304, the runner passes the response it has stored. */
export interface LiveResponse {
  /** The request of this response. */
  request: LiveRequest;
  /** HTTP status code. */
  status: number;
  /** Lower-case names; repeated headers joined by ", ". */
  headers: Readonly<Record<string, string>>;
  /** The body, decompressed. */
  body: Uint8Array;
}

/** A cached response with validators. */
export interface KeptResponse extends Pick<LiveResponse, "status" | "body"> {
  /** Key of the request. */
  request: string;
  /** Entity tag; null if there is none. */
  etag: string | null;
  /** Last-Modified header; null if there is none. */
  lastModified: string | null;
  /** Its headers, by lower-case names. */
  headers: Record<string, string>;
}

/** A request without a usable response after all retries. */
export interface LiveFailure {
  /** The request that failed. */
  request: LiveRequest;
  /** One sentence for the operator, without URLs, hosts or secrets. */
  failure: string;
  /** True if a recording lacks the response, which implies nothing about the scope. */
  missing?: boolean;
}

/** The outcome of a request. */
export type LiveReply = LiveResponse | LiveFailure;

/** Whether a request failed, or is missing from a recording. */
export function isFailure(reply: LiveReply): reply is LiveFailure {
  return "failure" in reply;
}

/** The environment of a source. */
export interface LiveContext {
  /** Values of the environment variables in {@link LiveSource.secrets} and `optionalSecrets` that are set. */
  secrets: Readonly<Record<string, string>>;
  /** The operator's settings for the source. */
  settings: LiveSettings;
  /** GPU names that the operator defined. */
  aliases: GpuAliases;
  /**
   * True if the replies come from a recording: secrets may be unset, and requests that are pointless without one are made
   * anyway, because the recording may contain their responses.
   */
  recorded: boolean;
}

/** An operator's settings for one source. */
export interface LiveSettings {
  /**
   * Provider to list the offers under; default: the name that the catalog has for it, otherwise the source's. Feeds list
   * each cloud under its own name.
   */
  provider?: string;
  /** Scopes to request, such as zones; default: {@link LiveScopes.defaults}. */
  scopes?: readonly string[];
  /** `ecb`: convert prices in other currencies to USD at the daily reference rate of the European Central Bank. */
  convert?: "ecb";
}

/** The parts of a source. */
export interface LiveScopes {
  /** What one scope is, for people. */
  noun: "region" | "zone" | "GPU" | "cloud";
  /**
   * Scopes to request unless the operator lists others; empty if the source discovers them itself. The clouds of a feed
   * are provider names.
   */
  defaults: readonly string[];
}

/**
 * The output of {@link LiveSource.read}: the items of every source, notes, and failed scopes. `scope` is set on each offer of
 * a source with scopes, so that the offers of a failed scope can be kept.
 */
export type LiveItem = (
  | SourceItem
  /** A scope whose response cannot be read. It yields no items. */
  | {
      kind: "failure";
      /** Name of the scope. */
      scope: string;
      /** A sentence as in {@link LiveFailure}. */
      failure: string;
    }
) & {
  /** The part of the source that it belongs to. */
  scope?: string;
};

/** A source of live prices. Each has one file in this folder; add it to live-sources.ts. */
export interface LiveSource {
  /** Name in settings and commands, in lower case. Also the provider's name, except for feeds. */
  name: string;
  /** Display name. */
  title: string;
  /** Address for people. */
  homepage: string;
  /** Type of its providers, which determines `deploymentType`. */
  type: ProviderType;
  /** A provider's price list, a market of many hosts (or a reseller of many clouds), or a third-party collection of clouds. */
  kind: "list" | "marketplace" | "feed";
  /** Required environment variables; each may be given as `<NAME>_FILE` too. */
  secrets: readonly string[];
  /** Optional environment variables, for more offers or for stock. */
  optionalSecrets: readonly string[];
  /** The only hosts that requests and redirects may go to. */
  hosts: readonly string[];
  /** Default time between two runs. */
  intervalSeconds: number;
  /** Maximum size of one response, decompressed. */
  maxBytes: number;
  /** Minimum time between the starts of two requests to the same host. */
  spacingMs: number;
  /** The basis of `isAvailable`: current stock, the price list of a region, or nothing. */
  stock: "live" | "listed" | "unknown";
  /** Whether stock needs an optional secret, and is unknown without one. */
  stockNeedsSecret?: true | undefined;
  /** Whether its list is cut without an optional secret, so that a missing offer may still be offered. */
  isCutWithoutSecret?: true;
  /** Date of the recorded response that its reader was tested against, such as `2026-08-20` or `2026-08`; null if none was. */
  recordedAt: string | null;
  /** Currency of its prices. Any except USD requires the setting `convert`. */
  currency: "USD" | "EUR";
  /** Whether an empty list is plausible (nothing is free), so that a gate must accept it. */
  mayBeEmpty: boolean;
  /** Parts that fail on their own; null if there are none. */
  scopes: LiveScopes | null;
  /** What is known about the terms of use of the API or collection, in one sentence. */
  terms: string;
  /** What the responses include and omit, for docs; a phrase each. */
  includes: string;
  /** What the responses omit, for docs; a phrase. */
  omits: string;
  /**
   * Checks a response of one scope before it is used, so that a login page in one region fails only that region. Sources
   * without scopes have none.
   * @throws SourceError if it has an unexpected form.
   */
  check?(response: LiveResponse): void;
  /**
   * The requests of one run. Each `yield` receives the reply, so that paging and joins are plain code. After a failure,
   * the generator continues with the next scope. It ends by itself within a few hundred requests.
   * @throws SourceError if a response that the next request depends on has an unexpected form.
   */
  requests(context: LiveContext): Generator<LiveRequest, void, LiveReply>;
  /**
   * The offers in a run's replies; each provider comes before its first offer. Replies of failed scopes are not included
   * (see `runRequests`). Every row gives an offer, a rejection, or is skipped. Data of a missing response is unknown:
   * region `unknown`, `isAvailable` false.
   * @throws SourceError, and nothing else, if a response has an unexpected form; its items must not be used then.
   */
  read(replies: readonly LiveReply[], context: LiveContext): Iterable<LiveItem> | AsyncIterable<LiveItem>;
}

const YEAR_MS = 366 * 86_400_000;

/** Whether the reader of a source was tested against a response that is at most a year old. @param nowMs since 1970. */
export function isVerified({ recordedAt }: Pick<LiveSource, "recordedAt">, nowMs = Date.now()): boolean {
  return recordedAt !== null && nowMs - Date.parse(recordedAt) <= YEAR_MS;
}

/** Whether a source can be enabled without review: a provider's own prices, in USD, no key, verified. */
export function isKeyless(source: LiveSource, nowMs = Date.now()): boolean {
  const { secrets, kind, currency } = source;
  return secrets.length === 0 && isVerified(source, nowMs) && kind !== "feed" && currency === "USD";
}

/** The basis of a source's `isAvailable`. @param hasSecrets Whether any of its secrets is set; a provider may reject it. */
export function stockOf(
  { stock, stockNeedsSecret }: Pick<LiveSource, "stock" | "stockNeedsSecret">,
  hasSecrets: boolean,
): LiveSource["stock"] {
  return stockNeedsSecret === true && !hasSecrets ? "unknown" : stock;
}

/** The providers whose offers a source supplies. No other source and no manual import should supply them too. */
export function providersOf({ kind, name, scopes }: LiveSource, settings: LiveSettings): readonly string[] {
  return kind === "feed" ? (settings.scopes ?? scopes?.defaults ?? []) : [settings.provider ?? name];
}

/** The secrets of a source that are not set. */
export function missingSecrets(source: LiveSource, secrets: LiveContext["secrets"]): readonly string[] {
  return source.secrets.filter((name) => (secrets[name] ?? "") === "");
}
