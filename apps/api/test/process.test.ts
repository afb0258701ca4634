import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { Agent } from "node:http";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import SqliteDatabase from "better-sqlite3";
import { beforeAll, describe, expect, test } from "vitest";
import { ask, jsonOf } from "./http.ts";
import { exchange, firstAnswer, openSocket } from "./raw-socket.ts";
import { startProcess } from "./running-process.ts";
import { logLines, startService, type Service } from "./service.ts";
import { tempDatabase, tempFolder } from "./temp-folder.ts";

/** Starts a service that is expected to end by itself. */
const failedStart = (settings: Record<string, string>, cwd = tempFolder()) =>
  startProcess("main.js", [], { PORT: "0", ...settings }, { cwd }).ended;

const SEE = "gpu-offers: See docs/configuration.md.";
const DATABASE_RULE = "must be sqlite:<path of the file> or postgres://<user>:<password>@<host>:<port>/<database>";

/** Connections that never finish a request; begun first, since a service gives them ten seconds. */
let unfinished: Record<"dripping" | "silent" | "without its body", Promise<{ text: string; seconds: number }>>;
let patient: Service;

beforeAll(async () => {
  patient = await startService();
  unfinished = {
    dripping: unfinishedRequest("GET /health/live HTTP/1.1\r\nHost: x\r\nX-Slow: ", "a"),
    silent: unfinishedRequest("", ""),
    "without its body": unfinishedRequest("GET /health/live HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n", ""),
  };
});

/** Sends a beginning, and a drop every half second, until the service ends the connection. */
async function unfinishedRequest(beginning: string, drop: string): Promise<{ text: string; seconds: number }> {
  const started = performance.now();
  const socket = await openSocket(patient);
  socket.write(beginning);
  const drops = setInterval(() => socket.write(drop), 500);
  let text = "";
  socket.setEncoding("latin1").on("data", (chunk: string) => (text += chunk));
  // Drops that are sent to a closed connection fail.
  socket.on("error", () => {});
  await new Promise((resolve) => {
    socket.once("close", resolve);
  });
  clearInterval(drops);
  return { text, seconds: (performance.now() - started) / 1_000 };
}

describe.concurrent("wrong settings", () => {
  const cases: [settings: Record<string, string>, fault: string][] = [
    [{ PORT: "65536" }, 'PORT must be a whole number from 0 to 65535; it is "65536".'],
    [{ PORT: "080" }, 'PORT must be a whole number from 0 to 65535; it is "080".'],
    [{ PORT: "http" }, 'PORT must be a whole number from 0 to 65535; it is "http".'],
    [{ PORT: "-1" }, 'PORT must be a whole number from 0 to 65535; it is "-1".'],
    [{ DATABASE_URL: "data.sqlite" }, `DATABASE_URL ${DATABASE_RULE}; it is "data.sqlite".`],
    [{ DATABASE_URL: "sqlite:" }, `DATABASE_URL ${DATABASE_RULE}; it is "sqlite:".`],
    [{ LOG_LEVEL: "loud" }, 'LOG_LEVEL must be one of silent, fatal, error, warn, info, debug, trace; it is "loud".'],
    [{ LOG_FORMAT: "xml" }, 'LOG_FORMAT must be one of auto, json, pretty; it is "xml".'],
    [{ REQUIRE_API_KEY: "yes" }, 'REQUIRE_API_KEY must be true or false; it is "yes".'],
    [
      { CORS_ORIGINS: "https://app.example.com/path" },
      'CORS_ORIGINS must be *, or origins such as https://app.example.com separated by commas; "https://app.example.com/path" is none; it is "https://app.example.com/path".',
    ],
  ];
  test.for(cases)("%o are told in a line, exit 2", async ([settings, fault]) => {
    expect(await failedStart(settings)).toEqual({
      code: 2,
      signal: null,
      stdout: "",
      stderr: `gpu-offers: ${fault}\n${SEE}\n`,
    });
  });

  test("are told all at once, before anything is opened", async () => {
    const folder = tempFolder();
    const ended = await failedStart(
      { PORT: "x", LOG_LEVEL: "x", LOG_FORMAT: "x", REQUIRE_API_KEY: "x", CORS_ORIGINS: "x,https://a.example,y" },
      folder,
    );
    expect(ended.code).toBe(2);
    const named = ended.stderr.split("\n").map((line) => line.split(" ")[1]);
    expect(named).toEqual([
      "PORT",
      "LOG_LEVEL",
      "LOG_FORMAT",
      "REQUIRE_API_KEY",
      "CORS_ORIGINS",
      "CORS_ORIGINS",
      "See",
      undefined,
    ]);
    expect(readdirSync(folder)).toEqual([]);
  });

  test("that are empty count as not set", async () => {
    const service = await startService({
      settings: { HOST: "", LOG_LEVEL: "", LOG_FORMAT: "", CORS_ORIGINS: "", REQUIRE_API_KEY: "" },
    });
    expect(service.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  });
});

describe.concurrent("a service that cannot start says so in one line and exits 1:", () => {
  test("the port is in use", async () => {
    const service = await startService();
    const path = tempDatabase();
    const ended = await failedStart({ PORT: String(service.port), DATABASE_URL: `sqlite:${path}` });
    expect(existsSync(path)).toBe(false);
    expect([ended.code, ended.stderr]).toEqual([
      1,
      `gpu-offers: port ${service.port} on 127.0.0.1 is in use; set PORT to another one, or 0 for any.\n`,
    ]);
    expect((await ask(service, "/health/ready")).status).toBe(200);
  });

  test("the address is not this machine's", async () => {
    const ended = await failedStart({ HOST: "192.0.2.1", PORT: "3000", DATABASE_URL: `sqlite:${tempDatabase()}` });
    expect([ended.code, ended.stderr]).toEqual([
      1,
      "gpu-offers: cannot listen on 192.0.2.1:3000 (EADDRNOTAVAIL); set HOST and PORT.\n",
    ]);
  });

  test.for([
    ["no-such-host.invalid", "EAI_AGAIN|ENOTFOUND"],
    ["fe80::1", "EINVAL|EADDRNOTAVAIL|EAFNOSUPPORT"],
  ])("the address %s cannot be listened on", async ([HOST = "", codes = ""]) => {
    const ended = await failedStart({ HOST, PORT: "3000", DATABASE_URL: `sqlite:${tempDatabase()}` });
    expect(ended.code).toBe(1);
    expect(ended.stderr).toMatch(
      new RegExp(`^gpu-offers: cannot listen on ${HOST}:3000 \\((?:${codes})\\); set HOST and PORT\\.\n$`),
    );
  });

  const databases: [what: string, make: (folder: string) => string][] = [
    [
      "the database is a folder",
      (folder) => {
        mkdirSync(join(folder, "data"));
        return join(folder, "data");
      },
    ],
    [
      "the database is another file",
      (folder) => {
        writeFileSync(join(folder, "letter.txt"), "Dear database, ".repeat(100));
        return join(folder, "letter.txt");
      },
    ],
    [
      "the folder of the database is a file",
      (folder) => {
        writeFileSync(join(folder, "file"), "");
        return join(folder, "file", "catalog.sqlite");
      },
    ],
    [
      "the database is of a newer gpu-offers",
      (folder) => {
        const path = join(folder, "newer.sqlite");
        const file = new SqliteDatabase(path);
        file.exec(
          "create table kysely_migration (name varchar(255) primary key not null, timestamp varchar(255) not null)",
        );
        file.exec("insert into kysely_migration values ('999-future', '2030-01-01T00:00:00.000Z')");
        file.close();
        return path;
      },
    ],
  ];
  test.for(databases)("%s", async ([, make]) => {
    const path = make(tempFolder());
    const ended = await failedStart({ DATABASE_URL: `sqlite:${path}` });
    expect(ended.code).toBe(1);
    expect(ended.stderr.split("\n")).toEqual([
      expect.stringMatching(/^gpu-offers: cannot open the database \S+: \S/),
      "",
    ]);
    expect(ended.stderr).toContain(path);
    expect(ended.stdout).toBe("");
  });
});

describe("SIGTERM", () => {
  test.for(["SIGTERM", "SIGINT"] as const)("as %s ends an idle service with exit 0", async (signal) => {
    const service = await startService();
    service.process.child.kill(signal);
    const { code, stdout } = await service.process.ended;
    expect(code).toBe(0);
    expect(logLines(stdout).slice(-2)).toMatchObject([{ msg: "stopping", signal }, { msg: "stopped" }]);
  });

  test("does not wait for connections that ask for nothing", async () => {
    const service = await startService();
    const agent = new Agent({ keepAlive: true });
    await ask(service, "/health/live", { agent });
    const silent = await openSocket(service);
    const halfAsked = await openSocket(service);
    halfAsked.write("GET /health/live HTTP/1.1\r\nHost:");
    const idle = await openSocket(service);
    idle.write("GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n");
    await once(idle, "data");
    for (const socket of [silent, halfAsked, idle]) {
      socket.on("error", () => {});
    }
    const started = performance.now();
    const { code } = await service.stop();
    expect(code).toBe(0);
    expect(performance.now() - started).toBeLessThan(2_000);
    agent.destroy();
  });

  // The answer to the second is written before the handlers of a request have all been called.
  test.for(["/api/v1/offers?size=100", "/openapi.json"])(
    "loses no request that was sent, under load: %s",
    async (path) => {
      const service = await startService({ settings: { LOG_LEVEL: "warn" } });
      const agent = new Agent({ keepAlive: true, maxSockets: 16 });
      const whole = (await ask(service, path, { agent })).text;
      let answered = 0;
      // Each asks on until nobody listens any more.
      const askOn = async (): Promise<string> => {
        for (;;) {
          try {
            const answer = await ask(service, path, { agent });
            if (answer.status !== 200 || answer.text !== whole) {
              return `status ${answer.status} with ${answer.body.length} bytes`;
            }
            answered++;
          } catch (error) {
            return error instanceof Error && "code" in error ? String(error.code) : String(error);
          }
        }
      };
      const loops = Array.from({ length: 16 }, askOn);
      await expect.poll(() => answered, { timeout: 20_000, interval: 5 }).toBeGreaterThan(500);
      const { code } = await service.stop();
      expect(code).toBe(0);
      expect(await Promise.all(loops)).toEqual(loops.map(() => "ECONNREFUSED"));
      agent.destroy();
    },
  );

  // A busy machine may give the service too little time.
  test("answers who came before it, though nobody had time for them yet", { retry: 2 }, async () => {
    const service = await startService({ settings: { LOG_LEVEL: "silent" } });
    service.process.child.kill("SIGSTOP");
    // The machine takes the connections, the service has not heard of them.
    const waiting = Array.from({ length: 10 }, () => exchange(service, "GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n"));
    await delay(200);
    const stopped = service.stop();
    service.process.child.kill("SIGCONT");
    expect((await stopped).code).toBe(0);
    const statuses = (await Promise.all(waiting)).map((text) => firstAnswer(text)?.status);
    expect(statuses).toEqual(waiting.map(() => 200));
  });

  test("answers slow readers whole", async () => {
    const service = await startService({ settings: { LOG_LEVEL: "silent" } });
    const socket = await openSocket(service);
    // More than the buffers of a connection hold, so that answers are in flight when the signal comes.
    const REQUESTS = 15;
    const path = "/docs/swagger-ui-bundle.js";
    const { text: file } = await ask(service, path);
    socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`.repeat(REQUESTS));
    const received: string[] = [];
    socket.setEncoding("latin1").on("data", (text: string) => received.push(text));
    const closed = once(socket, "close");
    await once(socket, "data");
    socket.pause();
    const stopped = service.stop();
    // While nobody reads, the service has to wait.
    expect(await Promise.race([stopped, delay(600, "waiting")])).toBe("waiting");
    socket.resume();
    expect((await stopped).code).toBe(0);
    await closed;
    const text = received.join("");
    expect(text.split("HTTP/1.1 200 OK\r\n")).toHaveLength(REQUESTS + 1);
    expect(text.split(Buffer.from(file).toString("latin1"))).toHaveLength(REQUESTS + 1);
  });
});

describe.concurrent("the log", () => {
  test("is JSON lines on standard output where that is no terminal", async () => {
    const service = await startService();
    await ask(service, "/health/live");
    const { stdout } = await service.stop();
    expect(logLines(stdout).length).toBeGreaterThan(3);
    for (const line of logLines(stdout)) {
      expect(line).toMatchObject({
        level: expect.stringMatching(/^info$/),
        time: expect.stringMatching(/^\d{4}-.*Z$/),
        msg: expect.any(String),
      });
    }
  });

  test("is for people with LOG_FORMAT=pretty", async () => {
    const service = await startService({ settings: { LOG_FORMAT: "pretty" } });
    await ask(service, "/health/live");
    const { stdout } = await service.stop();
    expect(stdout).toMatch(/INFO.*: listening/);
    expect(stdout).toMatch(/INFO.*: request .*"url":"\/health\/live"/);
  });

  test.for([
    ["silent", []],
    ["warn", []],
    ["info", ["info"]],
    ["debug", ["debug", "info"]],
  ] as const)("at LOG_LEVEL=%s has these levels: %o", async ([level, levels]) => {
    const service = await startService({ settings: { LOG_LEVEL: level } });
    await ask(service, "/health/live");
    const { stdout } = await service.stop();
    expect([...new Set(logLines(stdout).map((line) => String(line["level"])))].sort()).toEqual(levels);
  });
});

describe("REQUIRE_API_KEY=true", () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService({ settings: { REQUIRE_API_KEY: "true" } });
  });

  const catalog = [
    "/api/v1/offers",
    "/api/v1/offers/00000000-0000-4000-8000-000000000000",
    "/api/v1/providers",
    "/api/v1/providers/aws/images",
    "/api/v1/providers/no-such-provider/images",
  ];
  const credentials: (string | undefined)[] = [
    undefined,
    "",
    "Bearer",
    "Bearer ",
    "Bearer x",
    "Basic dXNlcjpwYXNzd29yZA==",
    `gpo_${"a".repeat(36)}`,
    `Bearer gpo_${"a".repeat(36)}`,
    `bearer gpo_${"a".repeat(36)}`,
    `Bearer gpo_${"a".repeat(35)}`,
    `Bearer gpo_${"a".repeat(2_000)}`,
    `Bearer gpo_${"a".repeat(36)}, Bearer gpo_${"b".repeat(36)}`,
    "Bearer null",
    "Bearer true",
    "Bearer ' OR 1=1 --",
  ];
  test.for(catalog)("answers 401 to everybody without a good key: %s", async (path) => {
    for (const credential of credentials) {
      const headers = credential === undefined ? {} : { Authorization: credential };
      for (const method of ["GET", "HEAD"]) {
        const answer = await ask(service, path, { method, headers });
        expect([credential, answer.status]).toEqual([credential, 401]);
        expect(answer.headers["www-authenticate"]).toBe("Bearer");
        expect(answer.headers["cache-control"]).toBe("no-store");
        expect(answer.headers.etag).toBe(undefined);
        expect(method === "HEAD" ? answer.text : jsonOf(answer)).toEqual(
          method === "HEAD"
            ? ""
            : {
                code: "unauthorized",
                message: "A valid API key is needed: send Authorization: Bearer <key>.",
                requestId: answer.headers["x-request-id"],
              },
        );
      }
    }
  });

  test("comes after path and method, and before parameters and caches", async () => {
    const statusOf = async (path: string, question = {}) => (await ask(service, path, question)).status;
    expect(await statusOf("/api/v1/offers?size=0")).toBe(401);
    expect(await statusOf("/api/v1/offers", { headers: { "If-None-Match": "*" } })).toBe(401);
    expect(await statusOf("/api/v1/nothing")).toBe(404);
    expect(await statusOf("/api/v1/offers", { method: "POST" })).toBe(405);
    expect(await statusOf("/api/v1/offers", { method: "OPTIONS" })).toBe(204);
  });

  test("leaves health and documentation open", async () => {
    for (const path of ["/health/live", "/health/ready", "/openapi.json", "/docs"]) {
      expect([path, (await ask(service, path)).status]).toEqual([path, 200]);
    }
  });
});

describe("CORS_ORIGINS", () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService({ settings: { CORS_ORIGINS: "https://app.example.com, http://localhost:5173" } });
  });
  const ALLOWED = ["https://app.example.com", "http://localhost:5173"];
  const OTHERS = [
    "https://evil.example.com",
    "http://app.example.com",
    "https://app.example.com:8443",
    "https://app.example.com.evil.com",
    "null",
  ];
  const preflight = (origin: string) => ({
    method: "OPTIONS",
    headers: {
      Origin: origin,
      "Access-Control-Request-Method": "GET",
      "Access-Control-Request-Headers": "authorization",
    },
  });

  test.for(ALLOWED)("lets pages of %s read answers, errors among them", async (origin) => {
    for (const path of ["/api/v1/offers?size=1", "/api/v1/offers?size=0", "/api/v1/offers/none", "/nothing"]) {
      const { headers } = await ask(service, path, { headers: { Origin: origin } });
      expect([path, headers["access-control-allow-origin"]]).toEqual([path, origin]);
      expect(headers["access-control-expose-headers"]).toBe(
        "ETag, Age, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, Retry-After, X-Request-Id",
      );
      expect(headers.vary).toBe("Origin");
      expect(headers["access-control-allow-credentials"]).toBe(undefined);
    }
  });

  test.for(OTHERS)("does not let pages of %s", async (origin) => {
    const answer = await ask(service, "/api/v1/offers?size=1", { headers: { Origin: origin } });
    expect(answer.status).toBe(200);
    expect(answer.headers["access-control-allow-origin"]).toBe(undefined);
    expect((await ask(service, "/api/v1/offers", preflight(origin))).headers["access-control-allow-origin"]).toBe(
      undefined,
    );
  });

  test("answers a preflight", async () => {
    const answer = await ask(service, "/api/v1/offers", preflight("https://app.example.com"));
    expect(answer.status).toBe(204);
    expect(answer.headers).toMatchObject({
      "access-control-allow-origin": "https://app.example.com",
      "access-control-allow-methods": "GET, HEAD",
      "access-control-allow-headers": "Authorization, If-None-Match, X-Request-Id",
      "access-control-max-age": "600",
      allow: "GET, HEAD, OPTIONS",
    });
  });

  test("changes nothing for those who are no pages", async () => {
    const options = await ask(service, "/api/v1/offers", { method: "OPTIONS" });
    expect([options.status, options.headers.allow]).toEqual([204, "GET, HEAD, OPTIONS"]);
    expect(options.headers["x-request-id"]).toMatch(/./);
    for (const method of ["GET", "OPTIONS", "POST"]) {
      const answer = await ask(service, "/nothing", { method, headers: { Origin: "https://app.example.com" } });
      expect([method, answer.status, jsonOf(answer)]).toMatchObject([method, 404, { code: "not_found" }]);
    }
    const post = await ask(service, "/api/v1/offers", { method: "POST" });
    expect([post.status, post.headers.allow]).toEqual([405, "GET, HEAD, OPTIONS"]);
  });

  test("of * lets every page read", async () => {
    const open = await startService({ settings: { CORS_ORIGINS: "*" } });
    const { headers } = await ask(open, "/api/v1/offers?size=1", { headers: { Origin: "https://any.example.com" } });
    expect(headers["access-control-allow-origin"]).toBe("*");
  });

  test("left out lets none", async () => {
    const closed = await startService();
    const { headers } = await ask(closed, "/api/v1/offers?size=1", { headers: { Origin: "https://app.example.com" } });
    expect(Object.keys(headers).filter((name) => name.startsWith("access-control"))).toEqual([]);
  });
});

describe("a request that does not arrive is ended within 15 seconds:", () => {
  test.for([
    ["dripping", 408],
    ["silent", 408],
    // Nobody waits for a body before the answer.
    ["without its body", 200],
  ] as const)("%s, with status %i", async ([kind, status]) => {
    const { text, seconds } = await unfinished[kind];
    expect(seconds).toBeLessThan(15);
    const answer = firstAnswer(text);
    expect(answer?.status).toBe(status);
    expect(JSON.parse(answer?.body ?? "")).toEqual(
      status === 200
        ? { status: "live" }
        : {
            code: "request_timeout",
            message: "The request did not arrive in time.",
            requestId: answer?.headers.get("x-request-id"),
          },
    );
    expect((await ask(patient, "/health/live")).status).toBe(200);
  });
});
