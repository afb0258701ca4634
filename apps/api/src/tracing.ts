import type { IncomingMessage } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
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

// One span per request, sent to a collector. This file and its packages are loaded only if tracing is on. The exporter
// reads headers, and environment variables of its own, by itself.

const BATCH_INTERVAL_MS = 1_000;

/** Maximum number of queued spans; more are dropped. */
const MAX_WAITING_SPANS = 2_048;

/** Milliseconds that shutdown waits for the last batch. */
const LAST_BATCH_MS = 500;

/** Minimum milliseconds between log lines about failed exports. */
const COMPLAINT_INTERVAL_MS = 60_000;

interface TracedRequest {
  request: Pick<IncomingMessage, "headers" | "httpVersion">;
  method: string;
  path: string;
  /** Pattern of the path; undefined if it matched no route. */
  route: string | undefined;
  status: number;
  span: Span | undefined;
}

/** Creates spans of requests. */
export class Tracing {
  readonly #provider: TracerProvider;
  readonly #tracer: Tracer;
  readonly #report: (failure: unknown) => void;
  readonly #propagator = new W3CTraceContextPropagator();

  /** @param url The collector's traces endpoint. */
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

  /** Starts the span of a request, as a child of the caller's span if the request has a traceparent. */
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

  /** Ends a request's span; `route` is undefined if it matched none. Returns the trace id for the log. */
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

  /** Sends queued spans with a short timeout: an unreachable collector must not delay shutdown. */
  async stop(): Promise<void> {
    // Rejects if the last batch cannot be sent.
    const last = this.#provider.shutdown().catch(this.#report);
    await Promise.race([last, delay(LAST_BATCH_MS, undefined, { ref: false })]);
  }
}

function createExporter(config: Config, url: string): SpanExporter {
  const protocol = config.OTEL_EXPORTER_OTLP_TRACES_PROTOCOL ?? config.OTEL_EXPORTER_OTLP_PROTOCOL;
  return protocol === "http/protobuf" ? new ProtobufExporter({ url }) : new JsonExporter({ url });
}

function createSampler({ OTEL_TRACES_SAMPLER: name, OTEL_TRACES_SAMPLER_ARG: share }: Config): Sampler {
  const root = name.endsWith("always_on")
    ? new AlwaysOnSampler()
    : name.endsWith("always_off")
      ? new AlwaysOffSampler()
      : new TraceIdRatioBasedSampler(share);
  return name.startsWith("parentbased") ? new ParentBasedSampler({ root }) : root;
}

/** Logs failed exports, at most once a minute. Requests are not affected. */
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
