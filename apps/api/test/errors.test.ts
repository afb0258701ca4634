import { METHODS } from "node:http";
import { ERRORS, errorBodySchema, type ErrorBody } from "@gpu-offers/domain";
import { beforeAll, describe, expect, test } from "vitest";
import * as z from "zod";
import { ask, type Answer } from "@gpu-offers/testkit/http";
import { allOffers } from "@gpu-offers/testkit/offer-queries";
import { exchange, firstAnswer } from "@gpu-offers/testkit/raw-socket";
import { logLines, startService, type Service } from "@gpu-offers/testkit/service";
import { unsoundRequests } from "@gpu-offers/testkit/unsound-requests";

let service: Service;
let offerId: string;
beforeAll(async () => {
  service = await startService();
  offerId = (await allOffers(service))[0]?.id ?? "";
});

const BASE = "GET /health/live HTTP/1.1\r\n";
const HOST = "Host: x\r\n";

/** The body of an error answer: the one shape, with a code of the table that fits the status. */
function errorOf(answer: Pick<Answer, "status" | "headers" | "text">): ErrorBody {
  const body = z.strictObject(errorBodySchema.shape).parse(JSON.parse(answer.text));
  expect(ERRORS).toHaveProperty(body.code);
  expect(ERRORS[body.code as keyof typeof ERRORS].status).toBe(answer.status);
  expect(answer.headers["content-type"]).toBe("application/json; charset=utf-8");
  expect(answer.headers["x-request-id"]).toBe(body.requestId);
  return body;
}

async function isAlive(): Promise<boolean> {
  return (await ask(service, "/health/live")).status === 200;
}

const routes: [string, () => string][] = [
  ["/api/v1/offers", () => "/api/v1/offers"],
  ["/api/v1/offers/{id}", () => `/api/v1/offers/${offerId}`],
  ["/api/v1/offers/{unknown id}", () => "/api/v1/offers/no-such-offer"],
  ["/api/v1/providers", () => "/api/v1/providers"],
  ["/api/v1/providers/{provider}/images", () => "/api/v1/providers/aws/images"],
  ["/api/v1/account", () => "/api/v1/account"],
  ["/api/v1/account/balance", () => "/api/v1/account/balance"],
  ["/health/live", () => "/health/live"],
  ["/health/ready", () => "/health/ready"],
  ["/openapi.json", () => "/openapi.json"],
  ["/docs", () => "/docs"],
  ["/docs/start.js", () => "/docs/start.js"],
  ["/docs/swagger-ui.css", () => "/docs/swagger-ui.css"],
  ["/metrics", () => "/metrics"],
];

describe.for(routes)("%s", ([name, path]) => {
  const refused = METHODS.filter((method) => !["GET", "HEAD", "OPTIONS", "CONNECT"].includes(method));

  test.for(refused)("refuses %s with 405, Allow and the error body", async (method) => {
    const answer = await ask(service, path(), { method });
    expect(answer.status).toBe(405);
    expect(answer.headers.allow).toBe("GET, HEAD, OPTIONS");
    expect(answer.headers["cache-control"]).toBe("no-store");
    expect(errorOf(answer)).toMatchObject({
      code: "method_not_allowed",
      message: `${method} is not allowed here; allowed are GET, HEAD, OPTIONS.`,
    });
  });

  test("answers OPTIONS with 204 and Allow", async () => {
    const answer = await ask(service, path(), { method: "OPTIONS" });
    expect(answer.status).toBe(204);
    expect(answer.headers.allow).toBe("GET, HEAD, OPTIONS");
    expect(answer.body).toHaveLength(0);
    expect(answer.headers["x-request-id"]).toMatch(/./);
  });

  test("answers what Allow names", async () => {
    const { status } = await ask(service, path());
    expect([200, 401, 404]).toContain(status);
    expect((await ask(service, path(), { method: "HEAD" })).status).toBe(status);
  });

  test("refuses methods before it looks at parameters", async () => {
    expect((await ask(service, `${path()}?no_such=1`, { method: "DELETE" })).status).toBe(405);
  });

  test("has one spelling of its path", async () => {
    for (const other of [
      `/${path()}`,
      path().replace("/", "//"),
      path().toUpperCase(),
      `${path()};a=1`,
      `${path()}.json`,
    ]) {
      const answer = await ask(service, other);
      expect([other, answer.status]).toEqual([other, 404]);
      errorOf(answer);
    }
  });

  // "/docs/" redirects, since people type it.
  test.skipIf(name === "/docs")("is 404 with a trailing slash", async () => {
    expect((await ask(service, `${path()}/`)).status).toBe(404);
    const slash = await ask(service, `${path()}/`, { method: "POST" });
    expect(slash.status).toBe(404);
    errorOf(slash);
    expect((await ask(service, `${path()}/`, { method: "OPTIONS" })).status).toBe(404);
  });
});

test("a method that HTTP does not have is refused", async () => {
  const answer = await ask(service, "/api/v1/offers", { method: "BREW" });
  expect(answer.status).toBe(400);
  expect(errorOf(answer).code).toBe("bad_request");
});

test.for(["GET", "HEAD", "POST", "OPTIONS", "PROPFIND"])("an unknown path is 404 for %s", async (method) => {
  for (const path of [
    "/api",
    "/api/v1",
    "/api/v2/offers",
    "/api/v1/offers/a/b",
    "/api/v1/providers/aws",
    "/docs/index.html",
    "/docs/LICENSE",
    "/docs/swagger-ui-bundle.js.map",
    "*",
  ]) {
    const answer = await ask(service, path, { method });
    expect([path, answer.status]).toEqual([path, 404]);
    expect(method === "HEAD" ? answer.text : errorOf(answer).message).toBe(
      method === "HEAD" ? "" : "No such path. See /docs for the available endpoints.",
    );
  }
});

test.for([
  "/docs/..%2f..%2fpackage.json",
  "/docs/%2e%2e/%2e%2e/package.json",
  "/docs/..%5c..%5cpackage.json",
  "/docs/%00",
  "/docs/../../../../etc/passwd",
  "/api/v1/providers/..%2f..%2fetc/images",
  "/api/v1/providers/%00/images",
  "/api/v1/providers/__proto__/images",
  `/api/v1/providers/${"a".repeat(5_000)}/images`,
  "/api/v1/offers/%",
  "/api/v1/offers/%ff",
  "/api/v1/providers/%zz/images",
  "/%zz",
])("%s reaches nothing", async (path) => {
  const answer = await ask(service, path);
  expect([400, 404]).toContain(answer.status);
  errorOf(answer);
});

test("a request body changes nothing: no operation takes one", async () => {
  const head = `${HOST}Content-Type: application/json\r\nContent-Length: 4\r\nConnection: close\r\n\r\n{]{]`;
  expect(firstAnswer(await exchange(service, `${BASE}${head}`))?.status).toBe(200);
  expect(firstAnswer(await exchange(service, `POST /api/v1/offers HTTP/1.1\r\n${head}`))?.status).toBe(405);
});

describe("what is no sound HTTP request is refused with the error body:", () => {
  test.for(unsoundRequests)("%s", async ([, bytes, status]) => {
    const answer = firstAnswer(await exchange(service, bytes));
    expect(answer?.status).toBe(status);
    errorOf({ status, headers: Object.fromEntries(answer?.headers ?? []), text: answer?.body ?? "" });
    expect(await isAlive()).toBe(true);
  });

  test("a path that only its percent-encoding leads to a route, for every method alike", async () => {
    for (const method of ["GET", "HEAD", "POST", "OPTIONS"]) {
      expect((await ask(service, "/api/v1/%6fffers", { method })).status).toBe(404);
    }
  });

  test("CONNECT, with 405 and the error body", async () => {
    const answer = await exchange(service, `CONNECT example.com:443 HTTP/1.1\r\n${HOST}\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 405 Method Not Allowed\r\nAllow: GET, HEAD, OPTIONS\r\n/);
    expect(answer).toContain('{"code":"method_not_allowed","message":"CONNECT is not allowed here;');
    expect(await isAlive()).toBe(true);
  });
});

describe("what is unusual but sound is answered:", () => {
  test.for([
    ["HTTP/1.0 without a host", "GET /health/live HTTP/1.0\r\n\r\n"],
    ["an upgrade that is not taken", `${BASE}${HOST}Connection: Upgrade, close\r\nUpgrade: h2c\r\n\r\n`],
    ["blank lines before the request", `\r\n\r\n${BASE}${HOST}Connection: close\r\n\r\n`],
    ["a body in chunks", `${BASE}${HOST}Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n0\r\n\r\n`],
    ["an absolute URL", `GET http://x/health/live HTTP/1.1\r\n${HOST}Connection: close\r\n\r\n`],
  ] as const)("%s", async ([, bytes]) => {
    expect(firstAnswer(await exchange(service, bytes))?.status).toBe(200);
  });
});

test("an absolute URL is the resource of its path, whatever the method", async () => {
  const statuses = await Promise.all(
    ["HEAD", "OPTIONS", "POST"].map(async (method) => {
      const bytes = `${method} http://x/health/live HTTP/1.1\r\n${HOST}Connection: close\r\n\r\n`;
      return firstAnswer(await exchange(service, bytes))?.status;
    }),
  );
  expect(statuses).toEqual([200, 204, 405]);
  const root = await exchange(service, `GET http://x HTTP/1.1\r\n${HOST}Connection: close\r\n\r\n`);
  expect(firstAnswer(root)?.status).toBe(200);
});

describe("the request id", () => {
  test.for(["abc", "0", "a".repeat(128), "trace:1/2+3=4._-", "6f1c2a0e-8f5b-4d0a-9f43-1d2f3a4b5c6d"])(
    "is the caller's when it is sane: %s",
    async (id) => {
      for (const path of ["/api/v1/offers?size=1", "/api/v1/offers/no-such-offer", "/nothing", "/api/v1/offers/%zz"]) {
        const answer = await ask(service, path, { headers: { "X-Request-Id": id } });
        expect(answer.headers["x-request-id"]).toBe(id);
        expect(answer.status === 200 ? id : errorOf(answer).requestId).toBe(id);
      }
    },
  );

  test.for(["", " ", "a b", "a".repeat(129), "<script>", 'a"b', "a,b", "\u00e4", "a\tb", `gpo_${"a".repeat(36)}`])(
    "is a new UUID when the caller's is not sane: %s",
    async (id) => {
      const answer = await ask(service, "/nothing", { headers: { "X-Request-Id": id } });
      expect(z.uuid().safeParse(answer.headers["x-request-id"]).success).toBe(true);
      expect(errorOf(answer).requestId).not.toBe(id);
    },
  );

  test("is a new one for each request, and for two of the caller's", async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => ask(service, "/health/live")));
    expect(new Set(answers.map(({ headers }) => headers["x-request-id"])).size).toBe(20);
    const text = await exchange(
      service,
      `${BASE}${HOST}X-Request-Id: a\r\nX-Request-Id: b\r\nConnection: close\r\n\r\n`,
    );
    expect(z.uuid().safeParse(firstAnswer(text)?.headers.get("x-request-id")).success).toBe(true);
  });
});

describe("the log", () => {
  const key = `gpo_${"Ab1".repeat(12)}`;
  const secret = key.slice("gpo_".length);

  test("has one line for each request, with its id, and no key of a URL", async () => {
    const logged = await startService();
    const questions: [method: string, path: string, status: number][] = [
      ["GET", "/api/v1/offers?size=1", 200],
      ["HEAD", "/api/v1/providers", 200],
      ["GET", "/api/v1/offers?size=0", 400],
      ["GET", "/api/v1/offers/no-such-offer", 404],
      ["GET", "/nothing", 404],
      ["POST", "/api/v1/offers", 405],
      ["OPTIONS", "/api/v1/offers", 204],
      ["GET", "/api/v1/offers/%zz", 400],
      ["GET", `/${"a".repeat(9_000)}`, 414],
      ["GET", `/api/v1/offers?key=${key}`, 400],
      ["GET", `/api/v1/offers?${key}=1`, 400],
      ["GET", `/api/v1/offers/${key}`, 404],
      ["GET", `/${key}/${key}`, 404],
      ["GET", `/api/v1/offers?key=gpo%5F${secret}`, 400],
      ["GET", `/api/v1/offers?key=%67%70%6f%5f${secret}`, 400],
      ["GET", `/api/v1/offers/%zz?key=${key}`, 400],
    ];
    for (const [index, [method, path, status]] of questions.entries()) {
      const answer = await ask(logged, path, { method, headers: { "X-Request-Id": `question-${index}` } });
      expect([path, answer.status]).toEqual([path, status]);
    }
    await ask(logged, "/health/live", { headers: { "X-Request-Id": key, Authorization: `Bearer ${key}` } });
    const refused = firstAnswer(await exchange(logged, `${BASE}${HOST}Authorization: Bearer ${key}\r\nX\0: a\r\n\r\n`));

    const { stdout, code } = await logged.stop();
    expect(code).toBe(0);
    expect(stdout).not.toContain(secret);
    const lines = logLines(stdout);
    for (const [index, [method, , status]] of questions.entries()) {
      expect(lines.filter((line) => line["requestId"] === `question-${index}`)).toEqual([
        expect.objectContaining({ level: "info", msg: "request", method, status, durationMs: expect.any(Number) }),
      ]);
    }
    expect(lines.filter((line) => line["requestId"] === refused?.headers.get("x-request-id"))).toEqual([
      expect.objectContaining({ level: "info", status: 400, fault: "HPE_INVALID_HEADER_TOKEN" }),
    ]);
  });
});
