// What a source of live prices is: what to request, how to read the responses, and the facts a runner needs to treat
// it well. Sources are pure: they know no clock and no network, so that recorded responses test them in full.

import type { GpuAliases } from "../gpu-alias.js";
import type { ProviderType, SourceItem } from "../source-item.js";

/** One request of a source. The runner sends it as it is and adds `user-agent`, `accept-encoding` and validators. */
export interface LiveRequest {
  /** What the response holds, in the source's own words (`types`, `regions`): {@link LiveSource.read} finds it by this. */
  readonly part: string;
  /**
   * True when the response lists what is sold. A recording that is one file is the body of the first such request;
   * responses of the other requests only add to it (places, stock) and may be missing from a recording.
   */
  readonly main: boolean;
  /**
   * The part of the source that fails alone, such as a zone or a GPU name. Undefined: a failure fails the whole run.
   * Several requests may share a scope; one failure among them fails the scope.
   */
  readonly scope?: string;
  readonly method: "GET" | "POST";
  readonly url: string;
  /**
   * Where recordings may have the same list too, such as under a former path: method and path without the version,
   * `GET search/asks`.
   */
  readonly alsoAt?: readonly string[];
  /** Lower-case names. May hold secrets: never log or record them. */
  readonly headers?: Readonly<Record<string, string>>;
  /** JSON text of a POST. May hold secrets when `confidential` is set. */
  readonly body?: string;
  /** True when the response itself is a secret (an access token): it must not be logged, recorded or kept. */
  readonly confidential?: boolean;
}

/** A response of status 2xx, its body decompressed. For a 304, the runner passes the response that it has kept. */
export interface LiveResponse {
  readonly request: LiveRequest;
  readonly status: number;
  /** Lower-case names; repeated headers joined by ", ". */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/** A request without a usable response, after all retries. */
export interface LiveFailure {
  readonly request: LiveRequest;
  /** One sentence for the operator, without URLs, hosts and secrets. */
  readonly failure: string;
  /** True when a recording does not hold the response, which says nothing about the scope. */
  readonly missing?: boolean;
}

/** What came of a request. */
export type LiveReply = LiveResponse | LiveFailure;

/** True for a request that failed, or that a recording does not hold. */
export function isFailure(reply: LiveReply): reply is LiveFailure {
  return "failure" in reply;
}

/** What a source knows of its surroundings. */
export interface LiveContext {
  /** Values of the environment variables in {@link LiveSource.secrets} and `optionalSecrets` that are set. */
  readonly secrets: Readonly<Record<string, string>>;
  readonly settings: LiveSettings;
  /** GPU names that the operator has taught. */
  readonly aliases: GpuAliases;
  /**
   * True when the replies come from a recording: secrets may be unset, and requests that would be pointless without one are
   * made too, since the recording may hold their responses.
   */
  readonly recorded: boolean;
}

/** Settings of the operator for one source. */
export interface LiveSettings {
  /** Provider that the offers are listed under; default: the source's name. Feeds list each cloud under its own. */
  readonly provider?: string;
  /** Scopes to request, such as zones; default: {@link LiveScopes.defaults}. */
  readonly scopes?: readonly string[];
  /** `ecb`: convert prices of another currency to USD at the daily reference rate of the European Central Bank. */
  readonly convert?: "ecb";
}

/** What a source is divided into. */
export interface LiveScopes {
  /** What one scope is, for people. */
  readonly noun: "region" | "zone" | "GPU" | "cloud";
  /**
   * Scopes that are requested unless the operator lists others; empty when the source finds them out itself. The
   * clouds of a feed are the names of providers.
   */
  readonly defaults: readonly string[];
}

/** Something that the operator should know about a run, such as a gap or an exchange rate. One or two sentences. */
export interface LiveNote {
  readonly kind: "note";
  readonly note: string;
}

/** A scope whose response cannot be read. No item of that scope comes with it. */
export interface LiveScopeFailure {
  readonly kind: "failure";
  readonly scope: string;
  /** One sentence for the operator, without URLs, hosts and secrets. */
  readonly failure: string;
}

/**
 * What {@link LiveSource.read} yields: the items of every source, notes, and scopes that failed. `scope` is set on each offer of a source
 * with scopes, so that the offers of a scope that failed can be kept.
 */
export type LiveItem = (SourceItem | LiveNote | LiveScopeFailure) & { readonly scope?: string };

/** A source of live prices. One file in this folder each; add it to live-sources.ts. */
export interface LiveSource {
  /** Name in settings and commands: lower-case. Also the provider's name, except for feeds. */
  readonly name: string;
  /** Name for people. */
  readonly title: string;
  readonly homepage: string;
  /** Type of its providers, which decides `deploymentType`. */
  readonly type: ProviderType;
  /** A provider's price list, a market of many hosts (or a reseller of many clouds), or someone's collection of clouds. */
  readonly kind: "list" | "marketplace" | "feed";
  /** Environment variables without which it cannot run; each may be given as `<NAME>_FILE` too. */
  readonly secrets: readonly string[];
  /** Environment variables that it uses where they are set, for more offers or for stock. */
  readonly optionalSecrets: readonly string[];
  /** The only hosts that requests and redirects may go to. */
  readonly hosts: readonly string[];
  /** Default time between two runs. */
  readonly intervalSeconds: number;
  /** Largest body of one response, decompressed. */
  readonly maxBytes: number;
  /** Least time from the start of one request to a host to the next. */
  readonly spacingMs: number;
  /** What `isAvailable` rests on: the stock of the moment, the price list of a region, or nothing. */
  readonly stock: "live" | "listed" | "unknown";
  /** Whether its reader was built against a recorded response. If not, it is shown as unverified. */
  readonly verified: boolean;
  /** Currency of its prices. Any but USD needs the setting `convert`. */
  readonly currency: "USD" | "EUR";
  /** Whether no offers at all is a plausible result (nothing is free), which a gate must let through. */
  readonly mayBeEmpty: boolean;
  readonly scopes: LiveScopes | null;
  /** What is known about the terms of use of the API or collection: a sentence. */
  readonly terms: string;
  /** What the responses include and omit, for docs: a phrase each. */
  readonly includes: string;
  readonly omits: string;
  /** The unit of prices in its responses, for docs. */
  readonly unit: string;
  /**
   * Checks a response of one scope before anything is made of it, so that a login page in one region fails that region
   * alone. Sources without scopes have none.
   * @throws SourceError when it is not of the expected form.
   */
  check?(response: LiveResponse): void;
  /**
   * The requests of one run. Each `yield` is given the reply, so that pages and joins are plain code. For a failure,
   * the generator goes on with the next scope. It ends by itself within a few hundred requests.
   * @throws SourceError when a response that the next request depends on is not of the expected form.
   */
  requests(context: LiveContext): Generator<LiveRequest, void, LiveReply>;
  /**
   * The offers of a run's replies; each provider comes before its first offer. Replies of failed scopes are not among
   * them (see `runRequests`). Every row gives an offer, a rejection, or is skipped. What an unanswered request would
   * have told is unknown: region `unknown`, `isAvailable` false.
   * @throws SourceError, and nothing else, when a response is not of the expected form; then nothing may be used.
   */
  read(replies: readonly LiveReply[], context: LiveContext): Iterable<LiveItem> | AsyncIterable<LiveItem>;
}

/** Whether a source can be enabled without looking at it first: a provider's own prices, USD, no key, seen before. */
export function isKeyless({ secrets, verified, kind, currency }: LiveSource): boolean {
  return secrets.length === 0 && verified && kind !== "feed" && currency === "USD";
}

/** The providers whose offers a source supplies. No other source, and no import by hand, should supply them too. */
export function providersOf({ kind, name, scopes }: LiveSource, settings: LiveSettings): readonly string[] {
  return kind === "feed" ? (settings.scopes ?? scopes?.defaults ?? []) : [settings.provider ?? name];
}

/** The secrets of a source that are not set. */
export function missingSecrets(source: LiveSource, secrets: LiveContext["secrets"]): readonly string[] {
  return source.secrets.filter((name) => (secrets[name] ?? "") === "");
}
