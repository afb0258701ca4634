import type { ListingFacts, Offer } from "@gpu-offers/domain";
import { bytesOfText } from "../input/bytes.js";
import type { RejectionItem } from "../source-item.js";
import { runRequests } from "./live-run.js";
import type { LiveContext, LiveReply, LiveRequest, LiveSource } from "./live-source.js";

/** What a source makes of recorded responses. */
export interface ReplayedRun {
  /** The requests that it sent, in order. */
  requests: LiveRequest[];
  /** Its offers. Prices are in USD per hour. */
  offers: Offer[];
  /** What the source states beyond each offer, such as spot terms and seller, in the order of the offers. */
  listings: ListingFacts[];
  /** The rows that are not offers, and why. */
  rejections: RejectionItem[];
  /** What the operator would be told, and the scopes that failed. */
  notes: string[];
}

/**
 * Runs a source on recorded responses, without a network. Responses are found by the `part` of a request; several to one
 * part, such as pages, are given in order. A value that is no text is sent as JSON. Parts without a response are missing.
 * @throws SourceError if a response has an unexpected form, and RangeError if the responses are never requested.
 * @example const { offers } = await replaySource(acme, { types: await readFile("recordings/types.json", "utf8") });
 */
export async function replaySource(
  source: LiveSource,
  responses: Readonly<Record<string, unknown>>,
  context: Partial<LiveContext> = {},
): Promise<ReplayedRun> {
  const full: LiveContext = { secrets: {}, settings: {}, aliases: new Map(), recorded: true, ...context };
  const waiting = new Map(
    Object.entries(responses).map(([part, body]) => [part, Array.isArray(body) ? [...body] : [body]]),
  );
  const requests: LiveRequest[] = [];
  const send = async (request: LiveRequest): Promise<LiveReply> => {
    requests.push(request);
    const bodies = waiting.get(request.part);
    if (bodies === undefined || bodies.length === 0) {
      return { request, failure: "The recording has no response.", missing: true };
    }
    const body: unknown = bodies.shift();
    const text = typeof body === "string" ? body : JSON.stringify(body);
    return { request, status: 200, headers: {}, body: bytesOfText(text) };
  };
  const { replies } = await runRequests(source, full, send);
  const unused = [...waiting.keys()].filter((part) => !requests.some((request) => request.part === part));
  if (unused.length > 0) {
    throw new RangeError(
      `${source.name} never requests ${unused.join(", ")}. It requests ${requests.map(({ part }) => part).join(", ")}.`,
    );
  }
  const run: ReplayedRun = { requests, offers: [], listings: [], rejections: [], notes: [] };
  for await (const item of source.read(replies, full)) {
    if (item.kind === "offer") {
      run.offers.push(item.offer);
      run.listings.push(item.listing);
    } else if (item.kind === "rejection") {
      run.rejections.push(item);
    } else if (item.kind === "note") {
      run.notes.push(item.note);
    } else if (item.kind === "failure") {
      run.notes.push(`${item.scope}: ${item.failure}`);
    }
  }
  return run;
}
