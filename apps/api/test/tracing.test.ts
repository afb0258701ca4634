import { beforeAll, describe, expect, test } from "vitest";
import { startCollector, type CollectedSpan, type Collector } from "@gpu-offers/testkit/collector";
import { fetchFrom } from "@gpu-offers/testkit/http";
import { type Ended } from "@gpu-offers/testkit/running-process";
import { logLines, startService } from "@gpu-offers/testkit/service";

const SERVER = 2;
const PARENT = { traceId: "0af7651916cd43dd8448eb211c80319c", spanId: "b7ad6b7169203331" };
const traceparent = (flags: string): string => `00-${PARENT.traceId}-${PARENT.spanId}-${flags}`;

describe("a service with a collector", () => {
  const requests: [path: string, method: string, status: number, route: string | undefined][] = [
    ["/api/v1/offers?size=1", "GET", 200, "/api/v1/offers"],
    ["/api/v1/offers/no-such-offer", "GET", 404, "/api/v1/offers/:id"],
    ["/api/v1/providers/aws/images", "HEAD", 200, "/api/v1/providers/:provider/images"],
    ["/nothing", "GET", 404, undefined],
    ["/%zz", "GET", 400, undefined],
    ["/health/live", "POST", 405, undefined],
  ];
  const secret = "Ab1".repeat(12);
  const withSecret = [`/gpo_${secret}`, `/api/v1/offers/gpo%5f${secret}`, `/api/v1/offers?key=gpo_${secret}`];
  let collector: Collector;
  const statuses: number[] = [];
  let ended: Ended;

  beforeAll(async () => {
    collector = await startCollector();
    const service = await startService({
      settings: {
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
        OTEL_EXPORTER_OTLP_HEADERS: "x-tenant=a%20b,x-kind=all",
        OTEL_EXPORTER_OTLP_TRACES_HEADERS: "x-kind=traces",
        OTEL_RESOURCE_ATTRIBUTES: "deployment.environment.name=test,service.name=other",
        OTEL_SERVICE_NAME: "offers",
      },
    });
    for (const [path, method] of requests) {
      statuses.push((await fetchFrom(service, path, { method, headers: { "X-Request-Id": path } })).status);
    }
    await fetchFrom(service, "/health/live", { headers: { traceparent: traceparent("01") } });
    await fetchFrom(service, "/health/ready", { headers: { traceparent: traceparent("00") } });
    await fetchFrom(service, "/api/v1/providers", { headers: { traceparent: "00-nonsense" } });
    for (const path of withSecret) {
      await fetchFrom(service, path, {
        headers: { Authorization: `Bearer gpo_${secret}`, "User-Agent": `gpo_${secret}` },
      });
    }
    ended = await service.stop();
  });

  test("sends one server span per request, and logs its trace id", () => {
    expect(ended.code).toBe(0);
    expect(statuses).toEqual(requests.map(([, , status]) => status));
    const lines = logLines(ended.stdout);
    // One of the requests is not sampled.
    const spans = requests.length + 2 + withSecret.length;
    expect(collector.spans).toHaveLength(spans);
    for (const [path, method, status, route] of requests) {
      const line = lines.find((candidate) => candidate["url"] === path);
      const span = collector.spans.find(({ traceId }) => traceId === line?.["traceId"]);
      expect(span).toMatchObject({
        name: route === undefined ? method : `${method} ${route}`,
        kind: SERVER,
        attributes: {
          "http.request.method": method,
          "url.path": path.split("?")[0],
          "url.scheme": "http",
          "http.response.status_code": status,
        },
        resource: {
          "service.name": "offers",
          "service.version": expect.any(String),
          "deployment.environment.name": "test",
        },
      });
      expect(span?.attributes["http.route"]).toBe(route);
      expect(span?.parentSpanId ?? "").toBe("");
      expect(BigInt(span?.endTimeUnixNano ?? 0)).toBeGreaterThan(BigInt(span?.startTimeUnixNano ?? 0));
    }
    expect(new Set(collector.spans.map(({ traceId }) => traceId)).size).toBe(spans);
    expect(
      collector.received.every(
        (text) =>
          text.startsWith("/v1/traces ") && text.includes('"x-tenant":"a b"') && text.includes('"x-kind":"traces"'),
      ),
    ).toBe(true);
  });

  test("makes its spans children of a traceparent, and respects its sampling", () => {
    const byRoute = new Map<unknown, CollectedSpan>(
      collector.spans.map((span) => [span.attributes["http.route"], span]),
    );
    expect(byRoute.has("/health/ready")).toBe(false);
    expect(byRoute.get("/health/live")).toMatchObject({ traceId: PARENT.traceId, parentSpanId: PARENT.spanId });
    expect(byRoute.get("/api/v1/providers")?.traceId).toMatch(/^[0-9a-f]{32}$/);
  });

  test("sends no key that a caller puts in the wrong place", () => {
    expect(collector.received.join("\n")).not.toContain(secret);
  });
});
