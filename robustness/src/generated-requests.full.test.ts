import { Agent } from "node:http";
import * as fc from "fast-check";
import { CONTINENTS, SORT_KEYS, SORT_ORDERS } from "@gpu-offers/domain";
import { LISTING_PARAMETER_DOCS } from "@gpu-offers/domain/query";
import { makeAccount } from "@gpu-offers/testkit/accounts";
import { fetchFrom, jsonOf, type HttpResponse } from "@gpu-offers/testkit/http";
import { allOffers } from "@gpu-offers/testkit/offer-queries";
import { publishedDocument, type PublishedDocument } from "@gpu-offers/testkit/published-document";
import { startService, type Service } from "@gpu-offers/testkit/service";
import { errorProblem } from "./error-body.ts";
import { stressTest } from "./stress-test.ts";

// Random requests to every operation, half of them valid: every response must be one of those documented.

const CONNECTIONS = 32;
const REQUESTS_A_BATCH = 500;

/** One request as sent. */
interface Generated {
  method: string;
  target: string;
  headers: Record<string, string>;
}

/** Texts that often break programs. */
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

/** Usually well-encoded, sometimes with invalid escapes; never a byte that HTTP itself rejects. */
const encoded = (texts: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 6, arbitrary: texts.map((text) => encodeURIComponent(text.toWellFormed())) },
    { weight: 1, arbitrary: fc.constantFrom("%", "%zz", "%ff", "%C0%80", "%ED%A0%80", "a%2", "+", ";", "=", "?") },
  );

const validValue: Record<string, fc.Arbitrary<string>> = {
  gpu: fc.constantFrom("h100-sxm", "H200-SXM, b200-sxm", "no-such-gpu", "rtx-4090"),
  continent: fc.constantFrom(...CONTINENTS, "europe,asia"),
  min_gpu_count: fc.constantFrom("1", "2", "4"),
  max_gpu_count: fc.constantFrom("4", "8"),
  sort_by: fc.constantFrom(...SORT_KEYS),
  sort_order: fc.constantFrom(...SORT_ORDERS),
  page: fc.oneof(fc.nat(30).map(String), fc.constant("999999999")),
  size: fc.constantFrom("1", "3", "10", "100"),
  instance_type: fc.constantFrom("p5.48xlarge", "x"),
  offer: fc.constantFrom("0d0912e2-f8c8-5c77-a264-91e849656012", "no-such-offer"),
  since: fc.constantFrom("2026-01-01", "2025-12-01"),
  until: fc.constantFrom("2026-11-01"),
  step: fc.constantFrom("day", "week"),
  disk: fc.constantFrom("100", "500"),
  os_image_id: fc.constantFrom("ubuntu-22.04"),
  ceiling: fc.constantFrom("0", "10"),
  nodes: fc.constantFrom("1", "2"),
  top: fc.constantFrom("1", "5"),
};
const names = Object.keys(validValue);

/** A valid value of a parameter, which may be one of listings alone. */
const validValueOf = (name: string): fc.Arbitrary<string> =>
  validValue[name] ??
  (name in LISTING_PARAMETER_DOCS
    ? fc.constantFrom(...LISTING_PARAMETER_DOCS[name as keyof typeof LISTING_PARAMETER_DOCS].examples)
    : anyText);

const pair = (name: string, value: string): string => `${name}=${encodeURIComponent(value)}`;
const asQuery = (pairs: readonly string[]): string => (pairs.length === 0 ? "" : `?${pairs.join("&")}`);

const validQuery = (known: readonly string[], required: readonly string[]): fc.Arbitrary<string> =>
  fc
    .uniqueArray(
      known.length === 0
        ? fc.constant<[string, string]>(["", ""])
        : fc.constantFrom(...known).chain((name) => fc.tuple(fc.constant(name), validValueOf(name))),
      { minLength: required.length, maxLength: known.length === 0 ? 0 : 4, selector: ([name]) => name },
    )
    .map((pairs) => asQuery(pairs.map(([name, value]) => pair(name, value))));

const faultyPair = (known: readonly string[]): fc.Arbitrary<string> =>
  fc.oneof(
    fc
      .tuple(fc.constantFrom(...(known.length > 0 ? known : names)), encoded(anyText))
      .map(([name, value]) => `${name}=${value}`),
    fc.tuple(encoded(anyText), encoded(anyText)).map((texts) => texts.join("=")),
    fc.constantFrom("size=101", "page=-1", "sort_by=price", "min_gpu_count=9&max_gpu_count=1", "size=1&size=1"),
  );

const validHeaders = fc.dictionary(
  fc.constantFrom("X-Request-Id", "Accept", "Accept-Encoding", "Origin", "Range", "Content-Type", "traceparent"),
  fc.constantFrom("*", '"a"', "text/html", "bytes=0-1", "gzip", "null", "abc"),
  { maxKeys: 2 },
);
const faultyHeaders = fc.dictionary(
  fc.constantFrom("If-None-Match", "X-Request-Id", "Accept", "Authorization", "traceparent", "X-Forwarded-For"),
  fc.string({ maxLength: 20 }),
  { maxKeys: 2 },
);

/** An operation with what a valid request to it needs. */
interface Operation {
  path: string;
  known: string[];
  /** Required parameters. An operation has either only required parameters or none. */
  required: string[];
  /** Possible values of a path parameter. */
  segments: readonly string[];
  headers: Record<string, string>;
}

/** Requests to an operation; half are meant to be rejected, and most of those are. */
function arbitraryRequest({ path, known, required, segments, headers }: Operation): fc.Arbitrary<Generated> {
  const target = (segment: string, query: string): string => `${path.replace(/\{\w+\}/, () => segment)}${query}`;
  const sound = fc
    .tuple(
      fc.constantFrom(...segments),
      validQuery(known, required),
      validHeaders,
      fc.constantFrom("GET", "GET", "GET", "HEAD"),
    )
    .map(([segment, query, more, method]) => ({
      method,
      target: target(segment, query),
      headers: { ...more, ...headers },
    }));
  // An empty segment makes a different path.
  const anySegment = encoded(anyText).filter((text) => !["", "?", "."].includes(text));
  const invalid = fc
    .record({
      segment: path.includes("{") ? fc.oneof(fc.constantFrom(...segments), anySegment) : fc.constant(""),
      pairs: fc.oneof(
        { weight: 1, arbitrary: fc.constant([]) },
        { weight: 5, arbitrary: fc.array(faultyPair(known), { minLength: 1, maxLength: 3 }) },
      ),
      method: fc.oneof(
        { weight: 4, arbitrary: fc.constant("GET") },
        { weight: 1, arbitrary: fc.constantFrom("HEAD", "OPTIONS", "POST", "PUT", "DELETE", "TRACE", "QUERY") },
      ),
      isKnown: fc.boolean(),
      more: faultyHeaders,
    })
    .map(({ segment, pairs, method, isKnown, more }) => ({
      method,
      target: target(segment, asQuery(pairs)),
      headers: { ...(isKnown ? headers : {}), ...more },
    }));
  return fc.oneof(sound, invalid);
}

/** Checks responses; identical responses are checked once. */
class Judge {
  readonly #sound = new Set<string>();
  readonly #document: PublishedDocument;

  constructor(document: PublishedDocument) {
    this.#document = document;
  }

  /** Returns what is wrong with a response; undefined if it is as documented. */
  problemOf(path: string, { method, headers }: Generated, response: HttpResponse): string | undefined {
    const { status, text } = response;
    if (status >= 500) {
      return `status ${status}`;
    }
    if ((method === "OPTIONS" && status === 204) || method === "HEAD" || status === 304) {
      return text === "" ? undefined : "an unexpected body";
    }
    const operation = this.#document.operations.get(path);
    if (operation !== undefined && operation.responses[status] === undefined) {
      return `status ${status} is not documented`;
    }
    const mayBePage = status >= 400 && !path.startsWith("/api/") && headers["Accept"]?.includes("text/html") === true;
    if (mayBePage && isPage(response)) {
      return undefined;
    }
    const problem = status < 400 ? undefined : errorProblem(response);
    return problem ?? (operation === undefined ? undefined : this.#bodyProblem(path, response));
  }

  #bodyProblem(path: string, response: HttpResponse): string | undefined {
    const { status, headers, text } = response;
    const schema = this.#document.responseSchema(path, status);
    if (schema === undefined) {
      return undefined;
    }
    if (!String(headers["content-type"]).startsWith("application/json")) {
      return `content type ${headers["content-type"]}`;
    }
    const key = `${status} ${path} ${text.replace(String(headers["x-request-id"]), "")}`;
    if (this.#sound.has(key)) {
      return undefined;
    }
    const { success, error } = schema.safeParse(jsonOf(response));
    if (!success) {
      return `the body is not as documented: ${error.message}`;
    }
    this.#sound.add(key);
    return undefined;
  }
}

/** Whether an error is the page that browsers get outside the API, with the id that a report of it needs. */
function isPage({ headers, text }: HttpResponse): boolean {
  return headers["content-type"] === "text/html; charset=utf-8" && text.includes(String(headers["x-request-id"]));
}

/** Every documented operation, plus the two undocumented paths. */
async function listOperations(service: Service, document: PublishedDocument): Promise<Operation[]> {
  const { key } = await makeAccount(service.databasePath);
  const offerIds = (await allOffers(service)).map(({ id }) => id);
  const paths = new Set([...document.operations.keys(), "/openapi.json", "/metrics"]);
  const operations: Operation[] = [];
  for (const path of paths) {
    if (!document.operations.has(path) && (await fetchFrom(service, path)).status === 404) {
      continue;
    }
    operations.push({
      path,
      known: queryOf(document, path).map(({ name }) => name),
      required: queryOf(document, path)
        .filter((parameter) => parameter.required)
        .map(({ name }) => name),
      segments: path.includes("{id}")
        ? offerIds.slice(0, 50)
        : path.includes("{slug}")
          ? ["h100-sxm", "l40s", "rtx-4090"]
          : ["aws", "lambda", "vast"],
      headers: path.startsWith("/api/v1/account") ? { Authorization: `Bearer ${key}` } : {},
    });
  }
  return operations;
}

function queryOf(document: PublishedDocument, path: string) {
  return (document.operations.get(path)?.parameters ?? []).filter((parameter) => parameter.in === "query");
}

stressTest(
  "generated requests, half of them invalid",
  {
    bar: "no 5xx, all as documented",
    unit: "per operation",
    n: 100_000,
    shortN: 400,
  },
  async ({ n, seed, report }) => {
    const service = await startService({ settings: { LOG_LEVEL: "silent" } });
    const document = await publishedDocument(service);
    const judge = new Judge(document);
    const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
    const operations = await listOperations(service, document);
    let total = 0;
    let rejected = 0;
    for (const operation of operations) {
      const requests = arbitraryRequest(operation);
      const before = { total, rejected };
      for (let batch = 0; total - before.total < n; batch++) {
        const left = fc.sample(requests, {
          seed: seed + batch,
          numRuns: Math.min(REQUESTS_A_BATCH, n - (total - before.total)),
        });
        const sendAll = async (): Promise<void> => {
          for (let request = left.pop(); request !== undefined; request = left.pop()) {
            const { method, target, headers } = request;
            const response = await fetchFrom(service, target, { method, headers, agent });
            const problem = judge.problemOf(operation.path, request, response);
            report(problem && `${method} ${target} ${JSON.stringify(headers)}: ${problem}`);
            total++;
            rejected += response.status >= 400 ? 1 : 0;
          }
        };
        await Promise.all(Array.from({ length: CONNECTIONS }, sendAll));
      }
      const share = (rejected - before.rejected) / n;
      // Neither half is too easy. An operation without parameters can only reject methods.
      // Without its required parameter, any request is invalid; values of listings may contradict each other.
      const highest = operation.required.length > 0 || operation.known.length > 8 ? 0.85 : 0.75;
      // The sample that ships was never observed, so no offer of it has a history.
      const isCounted = document.operations.has(operation.path) && operation.path !== "/api/v2/history";
      if (isCounted && (share < 0.3 || share > highest)) {
        report(`${operation.path} rejected ${Math.round(share * 100)} % of the requests; half should be`);
      }
    }
    agent.destroy();
    const { code, signal } = await service.stop();
    if (code !== 0) {
      report(`the service ended with ${code ?? signal}`);
    }
    return `${operations.length} operations, ${Math.round((rejected / total) * 100)}% rejected`;
  },
);
