import { once } from "node:events";
import { Agent, request as send, type IncomingHttpHeaders, type IncomingMessage } from "node:http";
import { buffer } from "node:stream/consumers";
import { brotliDecompressSync, gunzipSync } from "node:zlib";

/** A response as received over the socket. */
export interface HttpResponse {
  status: number;
  headers: IncomingHttpHeaders;
  /** As sent, in its content encoding. */
  body: Buffer;
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

const DECODERS: Readonly<Record<string, (body: Buffer) => Buffer>> = { gzip: gunzipSync, br: brotliDecompressSync };

/** Sends a request to a service over HTTP. The path is sent as given, without encoding or normalization. */
export async function fetchFrom(
  { port }: { port: number },
  path: string,
  { method = "GET", headers = {}, body = "", agent = keepAlive }: HttpRequest = {},
): Promise<HttpResponse> {
  const outgoing = send({ host: "127.0.0.1", port, path, method, headers, agent }).end(body);
  const [response] = (await once(outgoing, "response")) as [IncomingMessage];
  // Once there is a response, its reader gets the error.
  outgoing.on("error", () => {});
  const bytes = await buffer(response);
  const decode = DECODERS[response.headers["content-encoding"] ?? ""];
  // The response to HEAD states the encoding, too.
  const decoded = decode === undefined || bytes.length === 0 ? bytes : decode(bytes);
  return { status: response.statusCode ?? 0, headers: response.headers, body: bytes, text: decoded.toString("utf8") };
}

export function jsonOf(response: HttpResponse): unknown {
  return JSON.parse(response.text);
}
