import * as z from "zod";
import { issueText } from "../issue-text.js";
import { SourceError } from "../source-error.js";
import type { LiveReply, LiveRequest } from "./live-source.js";

// Replays recorded responses instead of using the network, matched to the requests of a source.

/** A recorded response. */
export interface Recorded {
  /** HTTP method of the request. */
  method: string;
  /** URL of the request. */
  url: string;
  /** JSON text of a POST, if recorded. */
  requestBody?: string | undefined;
  /** HTTP status code. */
  status: number;
  /** Headers of the response, by lower-case names. */
  headers: Readonly<Record<string, string>>;
  /** Body of the response, decompressed. */
  body: Uint8Array;
}

const headSchema = z.object({
  method: z.string().default("GET"),
  url: z.string().min(1),
  status: z.int().min(100).max(599).default(200),
  requestBody: z.string().optional(),
  responseHeaders: z.record(z.string(), z.union([z.string(), z.array(z.string())])).default({}),
});

/**
 * Parses a recorded response from its body and its `.http.json`: method, url, status and `responseHeaders`.
 * @throws SourceError if the `.http.json` has another form.
 */
export function recordedResponse(head: unknown, body: Uint8Array, where: string): Recorded {
  const result = headSchema.safeParse(head);
  if (!result.success) {
    throw new SourceError(`It does not describe a recorded response: ${issueText(result.error)}.`, where);
  }
  const { method, url, status, requestBody, responseHeaders } = result.data;
  const headers = Object.entries(responseHeaders).map(([name, value]) => [
    name.toLowerCase(),
    [value].flat().join(", "),
  ]);
  return { method: method.toUpperCase(), url, status, requestBody, headers: Object.fromEntries(headers), body };
}

/** One body as the recording of a source's first main request, whatever its URL. */
export function recordedBody(body: Uint8Array): Recording {
  let isUsed = false;
  return {
    reply(request) {
      if (isUsed || !request.main) {
        return missing(request);
      }
      isUsed = true;
      return { request, status: 200, headers: {}, body };
    },
    unused: () => [],
  };
}

/** Replies from recorded responses. */
export interface Recording {
  /** The recorded reply to a request, or a failure if there is none. */
  reply(request: LiveRequest): LiveReply;
  /** Recorded responses that no request has used so far. */
  unused(): readonly Recorded[];
}

/**
 * Replays recorded responses. A request matches by method, path and query; host, version prefix (`/v4beta`, `/api/v1`)
 * and page size are ignored, and so are parameters that the recording lacks, such as a filter. A page is matched by its number or cursor. POST
 * requests to one path match by their body if it is recorded, otherwise in order.
 */
export function recordedResponses(responses: readonly Recorded[]): Recording {
  const used = new Set<Recorded>();
  return {
    reply(request) {
      const best = bestMatch(responses, request, used) ?? findFormer(responses, request, used);
      if (best === undefined) {
        return missing(request);
      }
      const { status, headers, body } = best;
      used.add(best);
      return status >= 200 && status < 300
        ? { request, status, headers, body }
        : { request, failure: `The recorded response has status ${status}.` };
    },
    unused: () => responses.filter((recorded) => !used.has(recorded)),
  };
}

function bestMatch(
  responses: readonly Recorded[],
  request: LiveRequest,
  used: ReadonlySet<Recorded>,
): Recorded | undefined {
  const wanted = targetOf(request.url);
  const scored = responses
    .filter(({ method }) => method === request.method)
    .filter((recorded) => request.method === "GET" || matchesBody(recorded, request, used))
    .map((recorded) => ({ recorded, score: matchScore(wanted, targetOf(recorded.url)) }));
  const [best] = scored.filter(({ score }) => score >= 0).toSorted((a, b) => b.score - a.score);
  return best?.recorded;
}

/** The next unused response that was recorded under another URL of the same list. */
function findFormer(
  responses: readonly Recorded[],
  { alsoAt = [] }: LiveRequest,
  used: ReadonlySet<Recorded>,
): Recorded | undefined {
  return responses.find(
    (recorded) => !used.has(recorded) && alsoAt.includes(`${recorded.method} ${targetOf(recorded.url).path}`),
  );
}

function missing(request: LiveRequest): LiveReply {
  return { request, failure: `The recording has no response for ${request.part}.`, missing: true };
}

function matchesBody(recorded: Recorded, request: LiveRequest, used: ReadonlySet<Recorded>): boolean {
  return recorded.requestBody === undefined ? !used.has(recorded) : recorded.requestBody === request.body;
}

type Target = ReturnType<typeof targetOf>;

const VERSION = /^(?:api|rest|v?\d+(?:\.\d+)*(?:(?:alpha|beta)\d*)?)$/i;
const PAGE_SIZES = new Set(["page_size", "per_page", "limit", "pagesize", "page[size]", "$top", "max-results"]);
/** Parameters that select a page; the first page may omit them. */
const FIRST_PAGES: ReadonlyMap<string, string> = new Map(
  Object.entries({ page: "1", "page[number]": "1", cursor: "", pageToken: "", $skip: "0", offset: "0" }),
);

function targetOf(text: string) {
  const url = URL.canParse(text) ? new URL(text) : new URL(text, "https://recorded.invalid");
  const segments = url.pathname.split("/").filter((segment) => segment !== "" && !VERSION.test(segment));
  return { path: decoded(segments.join("/")), query: url.searchParams };
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** The number of matching parameters; negative if the recording is of a different request. */
function matchScore(wanted: Target, recorded: Target): number {
  if (wanted.path !== recorded.path) {
    return -1;
  }
  let score = 0;
  for (const name of new Set([...wanted.query.keys(), ...recorded.query.keys()])) {
    if (PAGE_SIZES.has(name.toLowerCase())) {
      continue;
    }
    const first = FIRST_PAGES.get(name);
    const one = wanted.query.get(name) ?? first;
    const other = recorded.query.get(name) ?? first;
    if (one === other) {
      score += 1;
    } else if (first !== undefined || (one !== undefined && other !== undefined)) {
      return -1;
    }
  }
  return score;
}
