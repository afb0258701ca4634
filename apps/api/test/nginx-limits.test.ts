import { Agent } from "node:http";
import { beforeAll, describe, expect, test } from "vitest";
import { fetchFrom, jsonOf, type HttpResponse } from "@gpu-offers/testkit/http";
import { nginxProgram, startNginx, type Nginx } from "@gpu-offers/testkit/nginx";
import { openSocket } from "@gpu-offers/testkit/raw-socket";
import { startService } from "@gpu-offers/testkit/service";

// Requests that nginx itself rejects, to protect the services behind it.

describe.skipIf(nginxProgram === undefined)("nginx", () => {
  const LIMIT = 100;
  /** A request whose body never arrives. */
  const ENDLESS = "GET /api/v1/offers HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n";

  let nginx: Nginx;
  beforeAll(async () => {
    const { port } = await startService({ settings: { LOG_LEVEL: "silent", MCP: "on" } });
    nginx = await startNginx([port]);
  });

  const askFrom = async (localAddress: string): Promise<HttpResponse> => {
    const agent = new Agent({ localAddress });
    const response = await fetchFrom(nginx, "/api/v1/offers?size=1", { agent });
    agent.destroy();
    return response;
  };

  test("passes bodies of up to 16 KiB to /mcp, and of up to 1 KiB to other paths", async () => {
    const statusOf = async (path: string, bytes: number): Promise<number> => {
      const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };
      const request = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list", params: {} });
      return (await fetchFrom(nginx, path, { method: "POST", headers, body: request.padEnd(bytes) })).status;
    };
    expect(await statusOf("/mcp", 16_384)).toBe(200);
    expect(await statusOf("/mcp", 16_385)).toBe(400);
    expect(await statusOf("/api/v1/offers", 1_024)).toBe(405);
    expect(await statusOf("/api/v1/offers", 1_025)).toBe(400);
  });

  test("rejects an address with 100 unfinished requests, and no other address", async () => {
    const sockets = await Promise.all(Array.from({ length: LIMIT }, () => openSocket(nginx)));
    const [last, ...others] = sockets;
    others.forEach((socket) => socket.write(ENDLESS));
    expect((await askFrom("127.0.0.1")).status).toBe(200);
    last?.write(ENDLESS);
    await expect.poll(async () => (await askFrom("127.0.0.1")).status).toBe(429);

    const rejected = await askFrom("127.0.0.1");
    expect(jsonOf(rejected)).toEqual({
      code: "rate_limited",
      message: "More than 100 requests of this address are in progress. Wait 1 second.",
      docUrl: "/docs/errors/rate_limited",
      requestId: rejected.headers["x-request-id"],
    });
    expect(rejected.headers["retry-after"]).toBe("1");
    // Pages of every origin may read nginx's errors; those of the service follow CORS_ORIGINS.
    expect(rejected.headers["access-control-allow-origin"]).toBe("*");
    expect(rejected.headers["access-control-expose-headers"]).toBe("Retry-After, X-Request-Id");
    const other = await askFrom("127.0.0.2");
    expect([other.status, other.headers["access-control-allow-origin"]]).toEqual([200, undefined]);

    sockets.forEach((socket) => socket.destroy());
    await expect.poll(async () => (await askFrom("127.0.0.1")).status).toBe(200);
  });
});
