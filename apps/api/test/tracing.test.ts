import { beforeAll, describe, expect, test } from "vitest";
import { startCollector, type CollectedSpan, type Collector } from "@gpu-offers/testkit/collector";
import { fetchFrom } from "@gpu-offers/testkit/http";
import { startProcess, type Ended } from "@gpu-offers/testkit/running-process";
import { logLines, startService } from "@gpu-offers/testkit/service";
import { tempFolder } from "@gpu-offers/testkit/temp-folder";

const SERVER = 2;
const PARENT = { traceId: "0af7651916cd43dd8448eb211c80319c", spanId: "b7ad6b7169203331" };
/** A port where nothing listens. */
const COLLECTOR = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:9" };
/** The tracing code is in a separate file, which these settings hide. */
const WITHOUT_TRACING = {
  NODE_OPTIONS: `--import=${new URL("./without-file.ts", import.meta.url).href}`,
  MISSING_FILE: "/dist/tracing.js",
};
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

describe("a service with a collector and a sampler", () => {
  test.for([
    ["always_off", "1", 0, 0],
    ["traceidratio", "0", 0, 0],
    ["parentbased_traceidratio", "0.5", 20, 80],
  ] as const)("%s %s sends between %i and %i of 100 spans", async ([sampler, share, least, most]) => {
    const collector = await startCollector();
    const service = await startService({
      settings: {
        OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/`,
        OTEL_TRACES_SAMPLER: sampler,
        OTEL_TRACES_SAMPLER_ARG: share,
      },
    });
    for (let request = 0; request < 100; request++) {
      await fetchFrom(service, "/health/live");
    }
    await service.stop();
    expect(collector.spans.length).toBeGreaterThanOrEqual(least);
    expect(collector.spans.length).toBeLessThanOrEqual(most);
  });
});

describe("without a collector", () => {
  test.for([
    ["an endpoint", {}],
    ["OTEL_SDK_DISABLED=true", { OTEL_SDK_DISABLED: "true", OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:9" }],
    [
      "OTEL_SDK_DISABLED=TRUE, as OpenTelemetry allows",
      { OTEL_SDK_DISABLED: "TRUE", OTEL_EXPORTER_OTLP_ENDPOINT: "x" },
    ],
    ["another exporter", { OTEL_TRACES_EXPORTER: "console,zipkin", OTEL_EXPORTER_OTLP_ENDPOINT: "localhost:4317" }],
    [
      "variables that a platform sets for other processes",
      {
        OTEL_EXPORTER_OTLP_HEADERS: "?",
        OTEL_EXPORTER_OTLP_PROTOCOL: "grpc",
        OTEL_EXPORTER_OTLP_TIMEOUT: "soon",
        OTEL_EXPORTER_OTLP_TRACES_HEADERS: "?",
        OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: "grpc",
        OTEL_RESOURCE_ATTRIBUTES: "=,=",
        OTEL_SDK_DISABLED: "perhaps",
        OTEL_TRACES_EXPORTER: "otlp",
        OTEL_TRACES_SAMPLER: "jaeger_remote",
        OTEL_TRACES_SAMPLER_ARG: "endpoint=http://localhost:14250",
      },
    ],
    ["OTEL_TRACES_EXPORTER=none", { OTEL_TRACES_EXPORTER: "none", OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:9" }],
  ] as const)("no tracing code is loaded: %s", async ([, settings]) => {
    const service = await startService({ settings: { ...settings, ...WITHOUT_TRACING } });
    await fetchFrom(service, "/health/live");
    const { code, stdout } = await service.stop();
    expect(code).toBe(0);
    expect(logLines(stdout).some((line) => "traceId" in line)).toBe(false);
  });

  test("with a collector, it is loaded, so the previous test can fail", async () => {
    const settings = { ...COLLECTOR, ...WITHOUT_TRACING };
    const { code, stderr } = await startProcess("main.js", [], { PORT: "0", ...settings }, { cwd: tempFolder() }).ended;
    expect([code, stderr]).toEqual([1, expect.stringContaining("/dist/tracing.js is missing")]);
  });

  test.for([
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: "localhost:4318" }, "OTEL_EXPORTER_OTLP_ENDPOINT must be the http or https URL"],
    [{ ...COLLECTOR, OTEL_EXPORTER_OTLP_PROTOCOL: "grpc" }, "OTEL_EXPORTER_OTLP_PROTOCOL must be http/json or http/"],
    [{ ...COLLECTOR, OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: "grpc" }, "OTEL_EXPORTER_OTLP_TRACES_PROTOCOL must be http/"],
    [{ ...COLLECTOR, OTEL_TRACES_SAMPLER: "sometimes" }, "OTEL_TRACES_SAMPLER must be one of always_on"],
    [{ ...COLLECTOR, OTEL_TRACES_SAMPLER_ARG: "2" }, "OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1"],
    [{ METRICS: "yes" }, 'METRICS must be on or off, not "yes".'],
  ] as const)("%o is invalid", async ([settings, problem]) => {
    const { code, stderr } = await startProcess("main.js", [], settings, { cwd: tempFolder() }).ended;
    expect(code).toBe(2);
    expect(stderr).toContain(`gpu-offers-server: ${problem}`);
  });

  test.for(["OTEL_EXPORTER_OTLP_HEADERS", "OTEL_EXPORTER_OTLP_TRACES_HEADERS"])(
    "an invalid header in %s is rejected without being repeated",
    async (name) => {
      const { code, stderr } = await startProcess(
        "main.js",
        [],
        { ...COLLECTOR, [name]: "topsecret" },
        { cwd: tempFolder() },
      ).ended;
      expect([code, stderr.split("\n")[0]]).toEqual([
        2,
        `gpu-offers-server: ${name} must be name=value pairs separated by commas.`,
      ]);
    },
  );
});
