import { once } from "node:events";
import { Agent } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { beforeAll, describe, expect, test } from "vitest";
import { fetchFrom } from "@gpu-offers/testkit/http";
import { firstResponse, openSocket } from "@gpu-offers/testkit/raw-socket";
import { logLines, startService, type Service } from "@gpu-offers/testkit/service";

/** Connections that never finish a request; opened first, because a service gives them ten seconds. */
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

/** Sends a beginning, then more bytes every half second, until the service closes the connection. */
async function unfinishedRequest(beginning: string, drop: string): Promise<{ text: string; seconds: number }> {
  const started = performance.now();
  const socket = await openSocket(patient);
  socket.write(beginning);
  const drops = setInterval(() => socket.write(drop), 500);
  let text = "";
  socket.setEncoding("latin1").on("data", (chunk: string) => (text += chunk));
  // Writing to a closed connection fails.
  socket.on("error", () => {});
  await new Promise((resolve) => {
    socket.once("close", resolve);
  });
  clearInterval(drops);
  return { text, seconds: (performance.now() - started) / 1_000 };
}

/** How a client ended, and when it sent its failed request, by `performance.now()`. */
interface End {
  met: string;
  sentAtMs: number;
}

/** Describes a lost request of a client; undefined if none was lost. */
function lossOf({ met, sentAtMs }: End, signaledAtMs: number): string | undefined {
  // A request to a closed port fails at once. A kept-alive connection may be closed while a request sent after the signal
  // arrives; the client must retry it elsewhere (RFC 9112, 9.3.1).
  const isLate = met === "ECONNRESET" && sentAtMs > signaledAtMs;
  return met === "ECONNREFUSED" || isLate
    ? undefined
    : `a client met ${met}, ${Math.round(signaledAtMs - sentAtMs)} ms in flight at the signal`;
}

describe("SIGTERM", () => {
  test("does not wait for connections without a request", async () => {
    const service = await startService();
    const agent = new Agent({ keepAlive: true });
    await fetchFrom(service, "/health/live", { agent });
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
    const { code, stdout } = await service.stop();
    expect(code).toBe(0);
    expect(performance.now() - started).toBeLessThan(2_000);
    expect(logLines(stdout).slice(-2)).toMatchObject([{ msg: "stopping", signal: "SIGTERM" }, { msg: "stopped" }]);
    agent.destroy();
  });

  // The second response is written before all of a request's handlers have been called.
  test.for(["/api/v1/offers?size=100", "/openapi.json"])("loses no sent request under load: %s", async (path) => {
    const service = await startService({ settings: { LOG_LEVEL: "warn" } });
    const agent = new Agent({ keepAlive: true, maxSockets: 16 });
    const whole = (await fetchFrom(service, path, { agent })).text;
    let served = 0;
    // Each sends requests until the service no longer listens.
    const askOn = async (): Promise<End> => {
      for (;;) {
        const sentAtMs = performance.now();
        try {
          const response = await fetchFrom(service, path, { agent });
          if (response.status !== 200 || response.text !== whole) {
            return { met: `status ${response.status} with ${response.body.length} bytes`, sentAtMs };
          }
          served++;
        } catch (error) {
          return { met: error instanceof Error && "code" in error ? String(error.code) : String(error), sentAtMs };
        }
      }
    };
    const loops = Array.from({ length: 16 }, askOn);
    await expect.poll(() => served, { timeout: 20_000, interval: 5 }).toBeGreaterThan(500);
    const signaledAtMs = performance.now();
    const { code } = await service.stop();
    expect(code).toBe(0);
    const ends = await Promise.all(loops);
    expect(ends.map((end) => lossOf(end, signaledAtMs))).toEqual(loops.map(() => undefined));
    agent.destroy();
  });

  test("sends slow readers their complete responses, even if it is sent again", async () => {
    const service = await startService({ settings: { LOG_LEVEL: "silent" } });
    const socket = await openSocket(service);
    // More than the buffers of a connection, so that responses are in flight when the signal arrives.
    const REQUESTS = 15;
    const path = "/docs/swagger-ui-bundle.js";
    const { text: file } = await fetchFrom(service, path);
    socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`.repeat(REQUESTS));
    const received: string[] = [];
    socket.setEncoding("latin1").on("data", (text: string) => received.push(text));
    const closed = once(socket, "close");
    await once(socket, "data");
    socket.pause();
    const stopped = service.stop();
    await delay(100);
    service.process.child.kill("SIGTERM");
    // While the client doesn't read, the service has to wait.
    expect(await Promise.race([stopped, delay(600, "waiting")])).toBe("waiting");
    socket.resume();
    expect((await stopped).code).toBe(0);
    await closed;
    const text = received.join("");
    expect(text.split("HTTP/1.1 200 OK\r\n")).toHaveLength(REQUESTS + 1);
    expect(text.split(Buffer.from(file).toString("latin1"))).toHaveLength(REQUESTS + 1);
  });
});

describe("an incomplete request is ended within 15 seconds:", () => {
  test.for([
    ["dripping", 408],
    ["silent", 408],
    // The response doesn't wait for the body.
    ["without its body", 200],
  ] as const)("%s, with status %i", async ([kind, status]) => {
    const { text, seconds } = await unfinished[kind];
    expect(seconds).toBeLessThan(15);
    const response = firstResponse(text);
    expect(response?.status).toBe(status);
    expect(JSON.parse(response?.body ?? "")).toMatchObject(
      status === 200
        ? { status: "live" }
        : {
            code: "request_timeout",
            message: "The request did not arrive in time.",
            docUrl: "/docs/errors/request_timeout",
            requestId: response?.headers.get("x-request-id"),
          },
    );
    expect((await fetchFrom(patient, "/health/live")).status).toBe(200);
  });
});
