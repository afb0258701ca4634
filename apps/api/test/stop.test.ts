import { text as readAll } from "node:stream/consumers";
import { describe, expect, test } from "vitest";
import { firstResponse, openSocket } from "@gpu-offers/testkit/raw-socket";
import { logLines, startService } from "@gpu-offers/testkit/service";

describe("SIGTERM", () => {
  test.for(["SIGINT", "SIGHUP"] as const)("like %s ends an idle service with exit code 0", async (signal) => {
    const service = await startService();
    service.process.child.kill(signal);
    const { code, stdout } = await service.process.ended;
    expect(code).toBe(0);
    expect(logLines(stdout).slice(-2)).toMatchObject([{ msg: "stopping", signal }, { msg: "stopped" }]);
  });

  test("serves requests that arrived before it, even if none were accepted yet", async () => {
    const service = await startService({ settings: { LOG_LEVEL: "silent" } });
    service.process.child.kill("SIGSTOP");
    // The kernel accepts the connections, but the service has not seen them yet.
    const waiting = await Promise.all(Array.from({ length: 10 }, () => openSocket(service)));
    const responses = waiting.map((socket) => readAll(socket));
    for (const socket of waiting) {
      await new Promise((resolve) => {
        socket.write("GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n", resolve);
      });
    }
    const stopped = service.stop();
    service.process.child.kill("SIGCONT");
    expect((await stopped).code).toBe(0);
    const statuses = (await Promise.all(responses)).map((response) => firstResponse(response)?.status);
    expect(statuses).toEqual(waiting.map(() => 200));
  });
});
