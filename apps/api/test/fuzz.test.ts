import fc from "fast-check";
import { CONTINENTS, errorBodySchema, SORT_KEYS, SORT_ORDERS } from "@gpu-offers/domain";
import { beforeAll, describe, expect, test } from "vitest";
import { ask, jsonOf, type Answer, type Question } from "./http.ts";
import { allOffers, SEED } from "./offer-queries.ts";
import { publishedDocument, type PublishedDocument } from "./published-document.ts";
import { startService, type Service } from "./service.ts";

let service: Service;
let document: PublishedDocument;
let offerIds: string[];

beforeAll(async () => {
  service = await startService({ settings: { LOG_LEVEL: "silent" } });
  document = await publishedDocument(service);
  offerIds = (await allOffers(service)).map(({ id }) => id);
});

const ROUNDS = 150;
const REQUESTS_A_ROUND = 20;

/** Texts that have broken programs before. */
const hostile = [
  ..."0 -1 007 1e2 NaN null undefined true [] {} ' \" ` \\ $ne a.b a[b] ../.. ..\\.. % %% %25 0x10 1_000 Infinity ٣".split(
    " ",
  ),
  ..."__proto__ constructor toString <script> {{7*7}} \u202e \ufeff \ud83d\ude00 \u212a \u0130 \u001b[2J".split(" "),
  "",
  " ",
  "\0",
  "\r\n",
  "1 OR 1=1",
  "';DROP TABLE offer;--",
  "9".repeat(30),
  "a".repeat(64),
  "a".repeat(700),
];
const anyText = fc.oneof(fc.constantFrom(...hostile), fc.string({ unit: "binary", maxLength: 12 }));

/** Well-encoded mostly, and sometimes with escapes that are none; never a byte that HTTP itself refuses. */
const encoded = (texts: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 6, arbitrary: texts.map((text) => encodeURIComponent(text.toWellFormed())) },
    { weight: 1, arbitrary: fc.constantFrom("%", "%zz", "%ff", "%C0%80", "%ED%A0%80", "a%2", "+", ";", "=", "?") },
  );

const validValue: Record<string, fc.Arbitrary<string>> = {
  gpu: fc.constantFrom("h100-sxm", "H200-SXM, b200-sxm", "no-such-gpu", "rtx-4090"),
  continent: fc.constantFrom(...CONTINENTS, "europe,asia"),
  min_gpu_count: fc.constantFrom("1", "4"),
  max_gpu_count: fc.constantFrom("4", "8"),
  sort_by: fc.constantFrom(...SORT_KEYS),
  sort_order: fc.constantFrom(...SORT_ORDERS),
  page: fc.constantFrom("0", "1", "999999999"),
  size: fc.constantFrom("1", "3", "10"),
  instance_type: fc.constantFrom("p5.48xlarge", "x"),
};
const names = Object.keys(validValue);

const parameter = (known: readonly string[]): fc.Arbitrary<string> =>
  fc.oneof(
    {
      weight: 8,
      arbitrary: fc
        .constantFrom(...(known.length > 0 ? known : names))
        .chain((name) => encoded(validValue[name] ?? anyText).map((value) => `${name}=${value}`)),
    },
    {
      weight: 1,
      arbitrary: fc.tuple(fc.constantFrom(...names), encoded(anyText)).map(([name, value]) => `${name}=${value}`),
    },
    { weight: 1, arbitrary: fc.tuple(encoded(anyText), encoded(anyText)).map((pair) => pair.join("=")) },
  );

const query = (known: readonly string[]): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: known.length > 0 ? 1 : 4, arbitrary: fc.constant("") },
    {
      weight: 4,
      arbitrary: fc
        .uniqueArray(parameter(known), { maxLength: 4, selector: (text) => text.split("=")[0] })
        .map((list) => `?${list.join("&")}`),
    },
    { weight: 1, arbitrary: fc.array(parameter(known), { maxLength: 6 }).map((list) => `?${list.join("&")}`) },
  );

const question: fc.Arbitrary<Question> = fc.record({
  method: fc.oneof(
    { weight: 12, arbitrary: fc.constant("GET") },
    { weight: 1, arbitrary: fc.constantFrom("HEAD", "OPTIONS", "POST", "DELETE", "TRACE", "QUERY") },
  ),
  headers: fc.dictionary(
    fc.constantFrom(
      "If-None-Match",
      "X-Request-Id",
      "Accept",
      "Accept-Encoding",
      "Origin",
      "Range",
      "Authorization",
      "Content-Type",
    ),
    fc.oneof(fc.constantFrom("*", "", '"a"', "text/html", "bytes=0-1", "gzip", "null"), fc.string({ maxLength: 20 })),
    { maxKeys: 2 },
  ),
});

/** Bodies that were found to be right; the catalog stays the same, so the same texts come again and again. */
const sound = new Set<string>();

/** What is wrong with an answer; undefined when it is as documented. */
function faultOf(path: string, method: string, answer: Answer): string | undefined {
  const { status, headers, text } = answer;
  if (status >= 500) {
    return `status ${status}`;
  }
  if ((method === "OPTIONS" && status === 204) || method === "HEAD" || status === 304) {
    return text === "" ? undefined : "a body where none may be";
  }
  if (document.operations.get(path)?.responses[status] === undefined) {
    return `status ${status} is not documented`;
  }
  if (headers["content-type"] !== "application/json; charset=utf-8") {
    return `content type ${headers["content-type"]}`;
  }
  const key = `${status} ${path} ${text}`;
  if (!sound.has(key)) {
    const { success, error } = document.answerSchema(path, status)?.safeParse(jsonOf(answer)) ?? {};
    if (success !== true) {
      return `the body is not as documented: ${error?.message}`;
    }
    sound.add(key);
  }
  return status < 400 || errorBodySchema.parse(jsonOf(answer)).requestId === headers["x-request-id"]
    ? undefined
    : "the request id of the body is not that of the header";
}

const operations: [path: string, known: string[], segment: () => fc.Arbitrary<string>][] = [
  ["/api/v1/offers", names.filter((name) => name !== "instance_type"), () => fc.constant("")],
  ["/api/v1/offers/{id}", [], () => fc.constantFrom(...offerIds.slice(0, 20))],
  ["/api/v1/providers", [], () => fc.constant("")],
  ["/api/v1/providers/{provider}/images", ["instance_type"], () => fc.constantFrom("aws", "lambda", "vast", "AWS")],
  ["/health/live", [], () => fc.constant("")],
  ["/health/ready", [], () => fc.constant("")],
];

describe("whatever is asked, the answer is one of those documented:", () => {
  test.for(operations)("%s", { timeout: 60_000 }, async ([path, known, segment]) => {
    // Nothing is between the slashes of an empty segment, which is another path.
    const anySegment = encoded(anyText).filter((text) => !["", "?", "."].includes(text));
    const request = fc.record({
      segment: fc.oneof({ weight: 2, arbitrary: segment() }, { weight: 1, arbitrary: anySegment }),
      query: query(known),
      question,
    });
    const seen = new Map<number, number>();
    await fc.assert(
      fc.asyncProperty(
        fc.array(request, { minLength: REQUESTS_A_ROUND, maxLength: REQUESTS_A_ROUND }),
        async (requests) => {
          await Promise.all(
            requests.map(async ({ segment: part, query: text, question: { method = "GET", headers = {} } }) => {
              const target = `${path.replace(/\{\w+\}/, () => part)}${text}`;
              const answer = await ask(service, target, { method, headers });
              seen.set(answer.status, (seen.get(answer.status) ?? 0) + 1);
              expect([method, target, faultOf(path, method, answer)]).toEqual([method, target, undefined]);
            }),
          );
        },
      ),
      { numRuns: ROUNDS, seed: SEED },
    );
    // Neither half of the questions is all too easy.
    const total = ROUNDS * REQUESTS_A_ROUND;
    expect(seen.get(200)).toBeGreaterThan(total / 5);
    expect((seen.get(400) ?? 0) + (seen.get(404) ?? 0)).toBeGreaterThan(total / 5);
  });
});
