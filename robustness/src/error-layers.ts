import { setTimeout as delay } from "node:timers/promises";
import { makeAccount, withKey } from "@gpu-offers/testkit/accounts";
import { fetchFrom, type HttpResponse, type HttpRequest } from "@gpu-offers/testkit/http";
import { createPostgresDatabase } from "@gpu-offers/testkit/postgres-server";
import { exchange, firstResponse, openSocket } from "@gpu-offers/testkit/raw-socket";
import { startService, type Service } from "@gpu-offers/testkit/service";
import { startOwnPostgres } from "./both-databases.ts";
import { errorProblem, rawErrorProblem } from "./error-body.ts";
import { shown, type Problems, type Row } from "./row.ts";

// Triggers one error in every layer that can reject a request; all must have the same form.

const HOST = "Host: x\r\n";

/** Layer, status and request, sent by the usual client. */
const ASKED: [layer: string, status: number, path: string, request?: HttpRequest][] = [
  ["router", 404, "/nothing"],
  ["router", 404, "/api/v1/offers/"],
  ["router", 405, "/api/v1/offers", { method: "POST" }],
  ["adapter", 400, "/%zz"],
  ["adapter", 400, "/api/v1/offers?%zz=1"],
  ["adapter", 400, "/api/v1/providers/%zz/images"],
  ["adapter", 417, "/health/live", { headers: { Expect: "a-miracle" } }],
  ["limits", 414, `/${"a".repeat(9_000)}`],
  ["parameters", 400, "/api/v1/offers?size=101"],
  ["parameters", 400, "/health/live?x=1"],
  ["resource", 404, "/api/v1/offers/x"],
  ["resource", 404, "/api/v1/providers/x/images"],
  ["authentication", 401, "/api/v1/account"],
  ["authentication", 401, "/api/v1/account/balance", { headers: { Authorization: "Bearer x" } }],
];

/** The same over a raw socket. */
const SENT: [layer: string, status: number, bytes: string][] = [
  ["parser", 400, "garbage\r\n\r\n"],
  ["parser", 400, `BREW / HTTP/1.1\r\n${HOST}\r\n`],
  ["framing", 400, "GET / HTTP/1.1\r\n\r\n"],
  ["framing", 400, `GET / HTTP/1.1\r\n${HOST}${HOST}\r\n`],
  ["limits", 431, `GET / HTTP/1.1\r\n${HOST}X: ${"a".repeat(20_000)}\r\n\r\n`],
  ["limits", 414, `GET /${"a".repeat(20_000)} HTTP/1.1\r\n${HOST}\r\n`],
  ["tunnel", 405, `CONNECT x:1 HTTP/1.1\r\n${HOST}\r\n`],
];

const problemOf = (expected: number, response: HttpResponse): string | undefined =>
  response.status === expected ? errorProblem(response) : `status ${response.status} instead of ${expected}`;

function rawProblem(expected: number, text: string): string | undefined {
  const response = firstResponse(text);
  return response?.status === expected
    ? rawErrorProblem(response)
    : `status ${response?.status} instead of ${expected}`;
}

/** Errors that affect the whole service: rate limit, no database, shutdown. */
async function stateProblems(problems: Problems): Promise<number> {
  const limited = await startService({ settings: { RATE_LIMIT: "2", LOG_LEVEL: "silent" } });
  await fetchFrom(limited, "/api/v1/providers");
  await fetchFrom(limited, "/api/v1/providers");
  problems.addIf(problemOf(429, await fetchFrom(limited, "/api/v1/providers")));
  // An absolute URL counts as its path.
  const whole = `GET http://x/api/v1/providers HTTP/1.1\r\n${HOST}Connection: close\r\n\r\n`;
  problems.addIf(rawProblem(429, await exchange(limited, whole)));
  await limited.stop();

  const server = await startOwnPostgres();
  const database = await createPostgresDatabase(server.url);
  const remote = await startService({ databasePath: database, settings: { LOG_LEVEL: "silent" } });
  const { key } = await makeAccount(database);
  await server.stop("immediate");
  for (const path of ["/api/v1/account", "/api/v1/account/balance"]) {
    problems.addIf(problemOf(503, await fetchFrom(remote, path, withKey(key))));
  }
  await remote.stop();
  return 4;
}

/** A request to a stopping service either succeeds as usual or gets no response. */
async function stopProblems(problems: Problems): Promise<number> {
  const service = await startService({ settings: { LOG_LEVEL: "silent" } });
  const sockets = await Promise.all(Array.from({ length: 20 }, () => openSocket(service)));
  const received = sockets.map((socket) => {
    const chunks: string[] = [];
    socket.setEncoding("latin1").on("data", (text: string) => chunks.push(text));
    socket.on("error", () => {});
    return chunks;
  });
  const stopped = service.stop();
  for (const socket of sockets) {
    await delay(20);
    if (socket.writable) {
      socket.write(`GET /nothing HTTP/1.1\r\n${HOST}\r\n`);
    }
  }
  await stopped;
  const texts = received.map((chunks) => chunks.join("")).filter((text) => text !== "");
  for (const text of texts) {
    const problem = rawProblem(404, text);
    problems.addIf(problem && `while stopping: ${problem}`);
  }
  return texts.length;
}

/** A request that does not arrive in time. */
async function lateProblem(service: Service): Promise<string | undefined> {
  return rawProblem(408, await exchange(service, `GET / HTTP/1.1\r\n${HOST}X-Slow: `));
}

export const errorLayers: Row = {
  name: "error-layers",
  what: "an error of every layer: router, adapter, parser, framing, limits, parameters, keys, rates, time, database, stop",
  unit: "times",
  bar: "JSON with code and message",
  n: 50,
  shortN: 1,
  run: async ({ n, progress, problems }) => {
    const service = await startService({ settings: { LOG_LEVEL: "silent" } });
    const late = lateProblem(service);
    let asked = 1;
    for (let time = 0; time < n; time++) {
      for (const [layer, status, path, request] of ASKED) {
        const problem = problemOf(status, await fetchFrom(service, path, request));
        problems.addIf(problem && `${layer}, ${path.slice(0, 60)}: ${problem}`);
      }
      for (const [layer, status, bytes] of SENT) {
        const problem = rawProblem(status, await exchange(service, bytes));
        problems.addIf(problem && `${layer}, ${JSON.stringify(bytes.slice(0, 60))}: ${problem}`);
      }
      asked += ASKED.length + SENT.length;
      if (time % 10 === 0) {
        asked += (await stateProblems(problems)) + (await stopProblems(problems));
        progress(`${time + 1} of ${n} times`);
      }
    }
    problems.addIf(await late);
    await service.stop();
    return `${shown(asked)} errors, ${problems.count} in another form`;
  },
};
