import * as z from "zod";
import { json, startReplay } from "./replay-server.ts";

// A minimal OpenTelemetry collector for tests: it accepts OTLP over HTTP, and decodes JSON.

const attributesSchema = z
  .array(z.object({ key: z.string(), value: z.record(z.string(), z.json()) }))
  .transform((pairs) => Object.fromEntries(pairs.map(({ key, value }) => [key, Object.values(value)[0]])));

const spanSchema = z.object({
  traceId: z.string(),
  spanId: z.string(),
  parentSpanId: z.string().optional(),
  name: z.string(),
  kind: z.number(),
  startTimeUnixNano: z.string(),
  endTimeUnixNano: z.string(),
  attributes: attributesSchema,
  status: z.object({ code: z.number().optional() }).optional(),
});

const exportSchema = z.object({
  resourceSpans: z.array(
    z.object({
      resource: z.object({ attributes: attributesSchema }),
      scopeSpans: z.array(z.object({ spans: z.array(spanSchema) })),
    }),
  ),
});

/** A span as the collector received it. */
export type CollectedSpan = z.output<typeof spanSchema> & { resource: Record<string, unknown> };

export interface Collector {
  url: string;
  spans: CollectedSpan[];
  /** Protobuf bodies, not decoded. */
  protobufs: Buffer[];
  /** Everything it received: request lines, headers and bodies. */
  received: string[];
}

/** Starts a collector that responds to every export with a status; with status 0 it never responds. */
export async function startCollector(status = 200): Promise<Collector> {
  const collector: Omit<Collector, "url"> = { spans: [], protobufs: [], received: [] };
  const { url } = await startReplay(({ target, headers, body, bytes }) => {
    collector.received.push(`${target} ${JSON.stringify(headers)} ${body}`);
    if (headers["content-type"] === "application/x-protobuf") {
      collector.protobufs.push(bytes);
      return { status, headers: { "Content-Type": "application/x-protobuf" } };
    }
    for (const { resource, scopeSpans } of exportSchema.parse(JSON.parse(body)).resourceSpans) {
      for (const span of scopeSpans.flatMap(({ spans }) => spans)) {
        collector.spans.push({ ...span, resource: resource.attributes });
      }
    }
    return status === 0 ? { problem: "silence" } : { ...json({}), status };
  });
  return { url, ...collector };
}
