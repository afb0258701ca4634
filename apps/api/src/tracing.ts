import type { IncomingMessage } from "node:http";
import {
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  defaultTextMapGetter,
  type Span,
  type Tracer,
} from "@opentelemetry/api";
import { setGlobalErrorHandler, W3CTraceContextPropagator } from "@opentelemetry/core";
import { OTLPTraceExporter as JsonExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { OTLPTraceExporter as ProtobufExporter } from "@opentelemetry/exporter-trace-otlp-proto";
import { detectResources, envDetector, resourceFromAttributes } from "@opentelemetry/resources";
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
  type Sampler,
  type SpanExporter,
} from "@opentelemetry/sdk-trace";
import type { Logger } from "pino";
import type { Config } from "./config.js";
import { redactKeys } from "./keys/redact-keys.js";

// One span for each request, sent to a collector. This file, and the packages it needs, are loaded only when a
// collector is set. The exporter reads the headers that the settings have checked, and variables of its own, by itself.

/** Milliseconds between two batches. */
const BATCH_INTERVAL_MS = 1_000;

/** Maximum number of spans that wait to be sent; more are dropped. */
const MAX_WAITING_SPANS = 2_048;

/** Milliseconds that stopping waits for the last batch. */
const LAST_BATCH_MS = 500;

/** Minimum of milliseconds between two log lines about spans that cannot be sent. */
const COMPLAINT_INTERVAL_MS = 60_000;

/** What a span says of a request and its response. */
export interface TracedRequest {
  request: Pick<IncomingMessage, "headers" | "httpVersion">;
  method: string;
  path: string;
  /** Pattern of the path; undefined if it matched no route. */
  route: string | undefined;
  status: number;
  span: Span | undefined;
}

/** Makes the spans of requests. */
export class Tracing {
  readonly #provider: TracerProvider;
  readonly #tracer: Tracer;
  readonly #report: (failure: unknown) => void;
  readonly #propagator = new W3CTraceContextPropagator();

  /** @param url Where the collector takes traces. */
  constructor(config: Config, url: string, version: string, logger: Logger) {
    this.#report = reporter(logger);
    setGlobalErrorHandler(this.#report);
    this.#provider = new TracerProvider({
      resource: resourceFromAttributes({ "service.version": version })
        .merge(detectResources({ detectors: [envDetector] }))
        .merge(resourceFromAttributes({ "service.name": config.OTEL_SERVICE_NAME })),
      sampler: createSampler(config),
      spanProcessors: [
        new BatchSpanProcessor({
          exporter: createExporter(config, url),
          scheduledDelayMillis: BATCH_INTERVAL_MS,
          maxQueueSize: MAX_WAITING_SPANS,
        }),
      ],
    });
    this.#tracer = this.#provider.getTracer("gpu-offers", version);
  }

  /** Starts the span of a request, as a child of the caller's if it sends a traceparent. */
  start({ request, method, path }: TracedRequest, scheme: string): Span {
    const parent = this.#propagator.extract(ROOT_CONTEXT, request.headers, defaultTextMapGetter);
    const attributes = {
      "http.request.method": method,
      "url.scheme": scheme,
      "url.path": redactKeys(path),
      "network.protocol.version": request.httpVersion,
    };
    return this.#tracer.startSpan(method, { kind: SpanKind.SERVER, attributes }, parent);
  }

  /** Ends the span of a request; `route` is undefined if it matched none. Returns the trace id for the log. */
  end({ span, method, route, status }: TracedRequest): string | undefined {
    if (span === undefined) {
      return undefined;
    }
    span.setAttribute("http.response.status_code", status);
    if (route !== undefined) {
      span.setAttribute("http.route", route).updateName(`${method} ${route}`);
    }
    if (status >= 500) {
      span.setAttribute("error.type", String(status)).setStatus({ code: SpanStatusCode.ERROR });
    }
    span.end();
    return span.spanContext().traceId;
  }

  /** Sends the spans that wait, and gives up soon: a collector that is gone must not delay the stop of the service. */
  async stop(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const tooLate = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, LAST_BATCH_MS);
    });
    // It rejects when the last batch cannot be sent.
    await Promise.race([this.#provider.shutdown().catch(this.#report), tooLate]);
    clearTimeout(timer);
  }
}

/** The exporter of the protocol that is set. */
function createExporter(config: Config, url: string): SpanExporter {
  const protocol = config.OTEL_EXPORTER_OTLP_TRACES_PROTOCOL ?? config.OTEL_EXPORTER_OTLP_PROTOCOL;
  return protocol === "http/protobuf" ? new ProtobufExporter({ url }) : new JsonExporter({ url });
}

/** The sampler by its standard name. */
function createSampler({ OTEL_TRACES_SAMPLER: name, OTEL_TRACES_SAMPLER_ARG: share }: Config): Sampler {
  switch (name) {
    case "always_on":
      return new AlwaysOnSampler();
    case "always_off":
      return new AlwaysOffSampler();
    case "traceidratio":
      return new TraceIdRatioBasedSampler(share);
    case "parentbased_always_on":
      return new ParentBasedSampler({ root: new AlwaysOnSampler() });
    case "parentbased_always_off":
      return new ParentBasedSampler({ root: new AlwaysOffSampler() });
    case "parentbased_traceidratio":
      return new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(share) });
  }
}

/** Logs that spans cannot be sent, once a minute at most. Requests are not affected. */
function reporter(logger: Logger): (failure: unknown) => void {
  let saidAtMs = -Infinity;
  return (failure) => {
    if (performance.now() - saidAtMs >= COMPLAINT_INTERVAL_MS) {
      saidAtMs = performance.now();
      const reason = failure instanceof Error ? failure.message : "unknown";
      logger.warn({ reason }, "cannot send traces to the collector; requests are not affected");
    }
  };
}
