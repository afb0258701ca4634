import { setTimeout as delay } from "node:timers/promises";
import { startCollector } from "@gpu-offers/testkit/collector";
import { fetchFrom } from "@gpu-offers/testkit/http";
import { logLines, startService } from "@gpu-offers/testkit/service";
import { describe, expect, test } from "vitest";

const TRACE_ID = "0af7651916cd43dd8448eb211c80319c";

describe("a collector of protobuf", () => {
  test.for([
    ["OTEL_EXPORTER_OTLP_PROTOCOL", "OTEL_EXPORTER_OTLP_ENDPOINT", ""],
    ["OTEL_EXPORTER_OTLP_TRACES_PROTOCOL", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "/v1/traces"],
  ] as const)("receives it with %s and %s", async ([protocol, endpoint, path]) => {
    const collector = await startCollector();
    const service = await startService({
      settings: { [endpoint]: `${collector.url}${path}`, [protocol]: "http/protobuf" },
    });
    await fetchFrom(service, "/health/live", { headers: { traceparent: `00-${TRACE_ID}-b7ad6b7169203331-01` } });
    expect((await service.stop()).code).toBe(0);
    const hex = Buffer.concat(collector.protobufs).toString("hex");
    // Field 1 of a span is its trace id, 16 bytes; field 5 is its name, here of 16 bytes too.
    expect(hex).toContain(`0a10${TRACE_ID}`);
    expect(hex).toContain(`2a10${Buffer.from("GET /health/live").toString("hex")}`);
    expect(collector.spans).toEqual([]);
    expect(collector.received).toEqual([expect.stringMatching(/^\/v1\/traces /)]);
  });
});

describe.concurrent("a collector that", () => {
  test.for([
    ["is gone", undefined],
    ["fails", 500],
    ["rejects", 400],
    ["does not respond", 0],
  ] as const)("that %s affects neither requests nor stops", async ([, status]) => {
    const url = status === undefined ? "http://127.0.0.1:9" : (await startCollector(status)).url;
    const service = await startService({ settings: { OTEL_EXPORTER_OTLP_ENDPOINT: url } });
    const ends = performance.now() + 2_500;
    while (performance.now() < ends) {
      expect((await fetchFrom(service, "/api/v1/offers?size=1")).status).toBe(200);
      // Batches are sent once per second, so more requests would only take processor time.
      await delay(25);
    }
    const started = performance.now();
    const { code, stdout } = await service.stop();
    expect(code).toBe(0);
    expect(performance.now() - started).toBeLessThan(3_000);
    expect(logLines(stdout).filter(({ msg }) => String(msg).startsWith("cannot send traces")).length).toBeLessThan(2);
  });
});
