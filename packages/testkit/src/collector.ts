import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import * as z from "zod";
import { atEnd } from "./leftovers.ts";

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

/** A running collector. */
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
  const collector: Collector = { url: "", spans: [], protobufs: [], received: [] };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.once("end", () => {
      const bytes = Buffer.concat(chunks);
      const body = bytes.toString();
      collector.received.push(`${request.url} ${JSON.stringify(request.headers)} ${body}`);
      if (request.headers["content-type"] === "application/x-protobuf") {
        collector.protobufs.push(bytes);
        response.writeHead(status, { "Content-Type": "application/x-protobuf" }).end();
        return;
      }
      for (const { resource, scopeSpans } of exportSchema.parse(JSON.parse(body)).resourceSpans) {
        for (const span of scopeSpans.flatMap(({ spans }) => spans)) {
          collector.spans.push({ ...span, resource: resource.attributes });
        }
      }
      if (status !== 0) {
        response.writeHead(status, { "Content-Type": "application/json" }).end("{}");
      }
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  collector.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  atEnd(() => {
    server.closeAllConnections();
    server.close();
  });
  return collector;
}
