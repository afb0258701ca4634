import { Agent, request as send, type IncomingHttpHeaders } from "node:http";
import { brotliDecompressSync, gunzipSync } from "node:zlib";

/** A response as received over the socket. */
export interface HttpResponse {
  status: number;
  headers: IncomingHttpHeaders;
  /** As sent, in its content encoding. */
  body: Buffer;
  /** The decoded body. */
  text: string;
}

/** Options of a request; the default is a plain GET. */
export interface HttpRequest {
  method?: string;
  headers?: Readonly<Record<string, string>>;
  body?: string;
  agent?: Agent;
}

const keepAlive = new Agent({ keepAlive: true, maxSockets: 8 });

/** Sends a request to a service over HTTP. The path is sent as given, without encoding or normalization. */
export function fetchFrom(service: { port: number }, path: string, request: HttpRequest = {}): Promise<HttpResponse> {
  const { method = "GET", headers = {}, body = "", agent = keepAlive } = request;
  return new Promise((resolve, reject) => {
    const outgoing = send({ host: "127.0.0.1", port: service.port, path, method, headers, agent }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.once("error", reject);
      response.once("end", () => {
        const bytes = Buffer.concat(chunks);
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: bytes,
          text: decoded(bytes, response.headers["content-encoding"]).toString("utf8"),
        });
      });
    });
    outgoing.once("error", reject);
    outgoing.end(body);
  });
}

function decoded(body: Buffer, encoding: string | undefined): Buffer {
  // The response to HEAD states the encoding, too.
  return body.length === 0
    ? body
    : encoding === "gzip"
      ? gunzipSync(body)
      : encoding === "br"
        ? brotliDecompressSync(body)
        : body;
}

/** The body of a response as JSON. */
export function jsonOf(response: HttpResponse): unknown {
  return JSON.parse(response.text);
}
