// What a client accepts: media types and encodings with their weights (RFC 9110, 12.4.2 and 12.5).

/** Media type of one JSON value per line. */
export const NDJSON_TYPE = "application/x-ndjson";

/** Encodings of a body, best first. */
const ENCODINGS = ["br", "gzip"] as const;

/** Encoding of a body; `identity` is none. */
export type Encoding = (typeof ENCODINGS)[number] | "identity";

/** The names in a header such as Accept, in lower case, with their weights; one that isn't a number is 0. */
function weightsIn(header: string | undefined): Map<string, number> {
  return new Map(
    (header ?? "").split(",").map((item): [string, number] => {
      const [name = "", ...parameters] = item.split(";").map((part) => part.trim().toLowerCase());
      return [name, Number(parameters.find((parameter) => parameter.startsWith("q="))?.slice(2) ?? 1) || 0];
    }),
  );
}

/** Whether a client asks for one JSON value per line. */
export function wantsLines(accept: string | undefined): boolean {
  return accept !== undefined && /ndjson/i.test(accept) && (weightsIn(accept).get(NDJSON_TYPE) ?? 0) > 0;
}

/** Whether a client names text/html, as browsers do, and JSON has no higher weight. Programs accept everything. */
export function prefersHtml(accept: string | undefined): boolean {
  const weights = weightsIn(accept);
  const weight = weights.get("text/html") ?? 0;
  return weight > 0 && weight >= (weights.get("application/json") ?? 0);
}

/** Whether a client accepts compressed responses. */
export function acceptsGzip(accepted: string | undefined): boolean {
  const weights = weightsIn(accepted);
  return (weights.get("gzip") ?? weights.get("*") ?? 0) > 0;
}

/** The encoding that a client prefers; of equals, the smallest body. */
export function preferredEncoding(accepted: string | undefined): Encoding {
  const weights = weightsIn(accepted);
  const any = weights.get("*") ?? 0;
  const [best] = ENCODINGS.map((encoding) => ({ encoding, weight: weights.get(encoding) ?? any }))
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight);
  return best === undefined || best.weight < (weights.get("identity") ?? 0) ? "identity" : best.encoding;
}
