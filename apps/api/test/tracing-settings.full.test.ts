import { describe, expect, test } from "vitest";
import { startCollector } from "@gpu-offers/testkit/collector";
import { fetchFrom } from "@gpu-offers/testkit/http";
import { startProcess } from "@gpu-offers/testkit/running-process";
import { logLines, startService } from "@gpu-offers/testkit/service";
import { tempFolder } from "@gpu-offers/testkit/temp-folder";

/** A port where nothing listens. */
const COLLECTOR = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:9" };
/** The tracing code is in a separate file, which these settings hide. */
const WITHOUT_TRACING = {
  NODE_OPTIONS: `--import=${new URL("./hidden-modules.ts", import.meta.url).href}`,
  MISSING_FILE: "/dist/tracing.js",
};

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
