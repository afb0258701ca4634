import { beforeAll, describe, expect, inject, test } from "vitest";
import { fetchFrom, jsonOf } from "@gpu-offers/testkit/http";
import { allOffers } from "@gpu-offers/testkit/offer-queries";

const service = inject("service");
let offerId: string;

beforeAll(async () => {
  offerId = (await allOffers(service))[0]?.id ?? "";
});

/** Parameter, its problem, and its value if the response repeats it. */
type Problem = readonly [name: string, reason: string, got?: string];

const SIZE = "must be a whole number from 1 to 100";
const PAGE = "must be a whole number from 0 to 999999999";
const COUNT = "must be a whole number from 1 to 999999999";
const SLUGS =
  "must be a comma-separated list of GPU slugs: letters, digits and single hyphens, at most 64 characters each";
const CONTINENTS =
  "must be a comma-separated list of continents from: Africa, Antarctica, Asia, Europe, North America, Oceania, South America";
const SORT_BY = "must be one of pricePerGpu, priceHourly, gpuCount";
const SORT_ORDER = "must be one of asc, desc";
const EMPTY_ITEM = "must not have an empty item";
const CONTROL = "must not contain control or invisible characters";
const ENCODING = "has invalid percent-encoding";
const UNNAMED = "a parameter has no name";
const BOUNDS = "must not be above max_gpu_count: no offer could match";
const UNKNOWN = "is unknown; known are gpu, continent, min_gpu_count, max_gpu_count, sort_by, sort_order, page, size";
const NONE_TAKEN = "is unknown; this operation takes no parameters";

/** Sends a request and expects exactly these problems, in this order. */
async function expectProblems(path: string, message: string, problems: readonly Problem[]): Promise<void> {
  const response = await fetchFrom(service, path);
  expect(response.status).toBe(400);
  expect(response.headers["content-type"]).toBe("application/json; charset=utf-8");
  expect(jsonOf(response)).toEqual({
    code: "invalid_parameter",
    message,
    details: problems.map(([name, reason, got]) => ({
      in: "query",
      name,
      reason: got === undefined ? reason : `${reason}; got ${JSON.stringify(got)}`,
    })),
    requestId: response.headers["x-request-id"],
    docUrl: "/docs/errors/invalid_parameter",
  });
}

const oneProblem: [query: string, ...Problem][] = [
  ["size=0", "size", SIZE, "0"],
  ["size=101", "size", SIZE, "101"],
  ["size=-1", "size", SIZE, "-1"],
  ["size=007", "size", SIZE, "007"],
  ["size=1e2", "size", SIZE, "1e2"],
  ["size=0x10", "size", SIZE, "0x10"],
  ["size=%2B5", "size", SIZE, "+5"],
  ["size=+5", "size", SIZE, " 5"],
  ["size=5%20", "size", SIZE, "5 "],
  ["size=5.0", "size", SIZE, "5.0"],
  ["size=5,6", "size", SIZE, "5,6"],
  ["size=%D9%A5", "size", SIZE, "٥"],
  ["size=%EF%BC%95", "size", SIZE, "５"],
  ["size=1234567890", "size", SIZE, "1234567890"],
  [`size=${"9".repeat(300)}`, "size", SIZE, "9".repeat(64)],
  ["size=", "size", SIZE, ""],
  ["size", "size", SIZE, ""],
  ["size=null", "size", SIZE, "null"],
  ["size=5?page=1", "size", SIZE, "5?page=1"],
  ["size=5;page=1", "size", SIZE, "5;page=1"],
  ["%73ize=0", "size", SIZE, "0"],
  ["size=5&size=5", "size", "must be given once, not 2 times"],
  ["size=0&size=x&size", "size", "must be given once, not 3 times"],
  [`${"a".repeat(63)}%F0%9F%98%80=1`, `${"a".repeat(63)}\ufffd`, UNKNOWN],
  ["size=5&%73ize=6", "size", "must be given once, not 2 times"],
  ["page=-1", "page", PAGE, "-1"],
  ["page=00", "page", PAGE, "00"],
  ["page=1000000000", "page", PAGE, "1000000000"],
  ["page=%2D0", "page", PAGE, "-0"],
  ["page=Infinity", "page", PAGE, "Infinity"],
  ["page=0&page=1", "page", "must be given once, not 2 times"],
  ["min_gpu_count=0", "min_gpu_count", COUNT, "0"],
  ["min_gpu_count=1.5", "min_gpu_count", COUNT, "1.5"],
  ["min_gpu_count=1000000000", "min_gpu_count", COUNT, "1000000000"],
  ["max_gpu_count=0", "max_gpu_count", COUNT, "0"],
  ["max_gpu_count=eight", "max_gpu_count", COUNT, "eight"],
  ["min_gpu_count=5&max_gpu_count=4", "min_gpu_count", BOUNDS, "5"],
  ["min_gpu_count=5&max_gpu_count=x", "max_gpu_count", COUNT, "x"],
  ["sort_by=price", "sort_by", SORT_BY, "price"],
  ["sort_by=PricePerGpu", "sort_by", SORT_BY, "PricePerGpu"],
  ["sort_by=", "sort_by", SORT_BY, ""],
  ["sort_by=__proto__", "sort_by", SORT_BY, "__proto__"],
  ["sort_by=pricePerGpu,gpuCount", "sort_by", SORT_BY, "pricePerGpu,gpuCount"],
  ["sort_order=ASC", "sort_order", SORT_ORDER, "ASC"],
  ["sort_order=down", "sort_order", SORT_ORDER, "down"],
  ["sort_order=asc&sort_order=desc", "sort_order", "must be given once, not 2 times"],
  ["gpu=", "gpu", EMPTY_ITEM, ""],
  ["gpu=%20", "gpu", EMPTY_ITEM, " "],
  ["gpu=,", "gpu", EMPTY_ITEM, ","],
  ["gpu=h100-sxm,", "gpu", EMPTY_ITEM, "h100-sxm,"],
  ["gpu=h100-sxm,%20,h200-sxm", "gpu", EMPTY_ITEM, "h100-sxm, ,h200-sxm"],
  ["gpu=h100_sxm", "gpu", SLUGS, "h100_sxm"],
  ["gpu=h100--sxm", "gpu", SLUGS, "h100--sxm"],
  ["gpu=-h100", "gpu", SLUGS, "-h100"],
  ["gpu=h100-", "gpu", SLUGS, "h100-"],
  ["gpu=h100%20sxm", "gpu", SLUGS, "h100 sxm"],
  ["gpu=%D0%BD100", "gpu", SLUGS, "н100"],
  ["gpu=H%E2%84%AA", "gpu", SLUGS, "H\u212a"],
  ["gpu=h100';DROP%20TABLE%20offer--", "gpu", SLUGS, "h100';DROP TABLE offer--"],
  ["gpu=..%2f..%2fetc", "gpu", SLUGS, "../../etc"],
  ["gpu=%22a%22", "gpu", SLUGS, '"a"'],
  [`gpu=${"a".repeat(65)}`, "gpu", SLUGS, "a".repeat(64)],
  ["gpu=h100-sxm&gpu=h200-sxm", "gpu", "must be given once, not 2 times"],
  ["continent=Atlantis", "continent", CONTINENTS, "Atlantis"],
  ["continent=Europe,Atlantis", "continent", CONTINENTS, "Europe,Atlantis"],
  ["continent=EU", "continent", CONTINENTS, "EU"],
  ["continent=Unknown", "continent", CONTINENTS, "Unknown"],
  ["continent=NorthAmerica", "continent", CONTINENTS, "NorthAmerica"],
  ["continent=constructor", "continent", CONTINENTS, "constructor"],
  ["continent=", "continent", EMPTY_ITEM, ""],
  ["continent=Europe,", "continent", EMPTY_ITEM, "Europe,"],
  ["gpu=a%00b", "gpu", CONTROL],
  ["gpu=a%0Ab", "gpu", CONTROL],
  ["gpu=a%7F", "gpu", CONTROL],
  ["gpu=%C2%85", "gpu", CONTROL],
  ["gpu=%E2%80%AEa", "gpu", CONTROL],
  ["%00=1", "%00", CONTROL],
  ["gpu=%", "gpu", ENCODING],
  ["gpu=%zz", "gpu", ENCODING],
  ["gpu=%ff", "gpu", ENCODING],
  ["gpu=%ED%A0%80", "gpu", ENCODING],
  ["gpu=%C0%80", "gpu", ENCODING],
  ["%ff=1", "%ff", ENCODING],
  ["size=5&size=%zz", "size", ENCODING],
  ["=1", "", UNNAMED],
];

/** Unknown names, each with its message. */
const unknownNames: [name: string, reason: string][] = [
  ["Size", "is unknown; did you mean size?"],
  ["SIZE", "is unknown; did you mean size?"],
  ["sizes", "is unknown; did you mean size?"],
  ["size[]", "is unknown; did you mean size?"],
  ["contnent", "is unknown; did you mean continent?"],
  ["sortBy", "is unknown; did you mean sort_by?"],
  ["sort-order", "is unknown; did you mean sort_order?"],
  ["gpus", "is unknown; did you mean gpu?"],
  ["minGpuCount", "is unknown; did you mean min_gpu_count?"],
  ["limit", UNKNOWN],
  ["provider", UNKNOWN],
  ["__proto__", UNKNOWN],
  ["__proto__[admin]", UNKNOWN],
  ["constructor", UNKNOWN],
  ["toString", UNKNOWN],
];

describe("the list of offers rejects", () => {
  test.for(oneProblem)("?%s", async ([query, ...problem]) => {
    const [name, reason] = problem;
    await expectProblems(`/api/v1/offers?${query}`, `${name} ${reason}.`.trimStart(), [problem]);
  });

  test.for(unknownNames)("the unknown parameter %s: it %s", async ([name, reason]) => {
    const sentence = `${name} ${reason}`;
    await expectProblems(`/api/v1/offers?${name}=1`, sentence.endsWith("?") ? sentence : `${sentence}.`, [
      [name, reason],
    ]);
  });

  test("a name of any length, and repeats only its beginning", async () => {
    const echoed = "x".repeat(64);
    await expectProblems(`/api/v1/offers?${"x".repeat(4_000)}=1`, `${echoed} ${UNKNOWN}.`, [[echoed, UNKNOWN]]);
  });

  test("all problems at once: first malformed, then known, then unknown parameters", async () => {
    const query =
      "zzz=1&size=0&page=-1&gpu=&continent=X&sort_by=x&sort_order=y&min_gpu_count=0&max_gpu_count=0&siz=5&a=%zz";
    await expectProblems(
      `/api/v1/offers?${query}`,
      `11 problems: a ${ENCODING}. gpu ${EMPTY_ITEM}. continent ${CONTINENTS}. min_gpu_count ${COUNT}. ` +
        `max_gpu_count ${COUNT}. sort_by ${SORT_BY}. sort_order ${SORT_ORDER}. page ${PAGE}. size ${SIZE}. ` +
        `zzz ${UNKNOWN}. siz is unknown; did you mean size?`,
      [
        ["a", ENCODING],
        ["gpu", EMPTY_ITEM, ""],
        ["continent", CONTINENTS, "X"],
        ["min_gpu_count", COUNT, "0"],
        ["max_gpu_count", COUNT, "0"],
        ["sort_by", SORT_BY, "x"],
        ["sort_order", SORT_ORDER, "y"],
        ["page", PAGE, "-1"],
        ["size", SIZE, "0"],
        ["zzz", UNKNOWN],
        ["siz", "is unknown; did you mean size?"],
      ],
    );
  });

  test("contradictory bounds together with other problems", async () => {
    await expectProblems(
      "/api/v1/offers?min_gpu_count=8&max_gpu_count=4&size=0",
      `2 problems: size ${SIZE}. min_gpu_count ${BOUNDS}.`,
      [
        ["size", SIZE, "0"],
        ["min_gpu_count", BOUNDS, "8"],
      ],
    );
  });

  test("invalid parameters even with a matching entity tag", async () => {
    const { etag = "" } = (await fetchFrom(service, "/api/v1/offers")).headers;
    for (const tag of [etag, "*"]) {
      const response = await fetchFrom(service, "/api/v1/offers?size=0", { headers: { "If-None-Match": tag } });
      expect(response.status).toBe(400);
      const unknown = await fetchFrom(service, "/api/v1/offers/no-such-offer", { headers: { "If-None-Match": tag } });
      expect(unknown.status).toBe(404);
    }
  });

  test("no boundary value", async () => {
    for (const query of [
      "",
      "?",
      "?size=1",
      "?size=100",
      "?size=%31%30",
      "?page=0",
      "?page=999999999",
      "?min_gpu_count=1&max_gpu_count=1",
    ]) {
      expect((await fetchFrom(service, `/api/v1/offers${query}`)).status).toBe(200);
    }
  });
});

describe("the images of a provider reject", () => {
  const images = "/api/v1/providers/aws/images";
  const cases: [query: string, message: string, ...Problem[]][] = [
    ["instance_type=", "instance_type must not be empty.", ["instance_type", "must not be empty", ""]],
    [
      `instance_type=${"a".repeat(129)}`,
      "instance_type must have at most 128 characters.",
      ["instance_type", "must have at most 128 characters", "a".repeat(64)],
    ],
    [
      "instance_type=a&instance_type=b",
      "instance_type must be given once, not 2 times.",
      ["instance_type", "must be given once, not 2 times"],
    ],
    ["instance_type=%00", `instance_type ${CONTROL}.`, ["instance_type", CONTROL]],
    ["instance_type=%zz", `instance_type ${ENCODING}.`, ["instance_type", ENCODING]],
    [
      "instancetype=a",
      "instancetype is unknown; did you mean instance_type?",
      ["instancetype", "is unknown; did you mean instance_type?"],
    ],
    ["page=0", "page is unknown; known are instance_type.", ["page", "is unknown; known are instance_type"]],
  ];
  test.for(cases)("?%s", async ([query, message, ...problems]) => {
    await expectProblems(`${images}?${query}`, message, problems);
    // Parameters are validated before the resource is looked up.
    await expectProblems(`/api/v1/providers/no-such-provider/images?${query}`, message, problems);
  });
});

describe("an operation without parameters rejects any", () => {
  const operations: [what: string, path: () => string][] = [
    ["an offer", () => `/api/v1/offers/${offerId}`],
    ["an unknown offer", () => "/api/v1/offers/no-such-offer"],
    ["the providers", () => "/api/v1/providers"],
    ["liveness", () => "/health/live"],
    ["readiness", () => "/health/ready"],
  ];
  test.for(operations)("%s", async ([, path]) => {
    await expectProblems(`${path()}?size=5`, `size ${NONE_TAKEN}.`, [["size", NONE_TAKEN]]);
    await expectProblems(`${path()}?__proto__`, `__proto__ ${NONE_TAKEN}.`, [["__proto__", NONE_TAKEN]]);
    await expectProblems(`${path()}?a&b=%zz`, `2 problems: b ${ENCODING}. a ${NONE_TAKEN}.`, [
      ["b", ENCODING],
      ["a", NONE_TAKEN],
    ]);
  });
});
