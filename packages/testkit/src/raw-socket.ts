import { once } from "node:events";
import { connect, type Socket } from "node:net";

/** A TCP connection to a service, with nothing sent yet. */
export async function openSocket({ port }: { port: number }): Promise<Socket> {
  const socket = connect(port, "127.0.0.1");
  await once(socket, "connect");
  return socket;
}

/** Sends bytes on a new connection, and returns everything received until the other side closes it. */
export async function exchange(service: { port: number }, bytes: string | Uint8Array): Promise<string> {
  const socket = await openSocket(service);
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    socket.on("data", (chunk: Buffer) => chunks.push(chunk));
    // A reset closes it, too.
    socket.on("error", () => {});
    socket.once("close", () => resolve(Buffer.concat(chunks).toString("latin1")));
    socket.write(typeof bytes === "string" ? Buffer.from(bytes, "latin1") : bytes);
  });
}

/** A response parsed from the bytes of a connection. */
export interface RawResponse {
  status: number;
  headers: Headers;
  body: string;
}

/** Parses the first response in the bytes of a connection; undefined if there is none. */
export function firstResponse(text: string): RawResponse | undefined {
  const match = /^HTTP\/1\.1 (\d{3}) [^\r\n]*\r\n([^]*?)\r\n\r\n/.exec(text);
  if (match === null) {
    return undefined;
  }
  const headers = new Headers(
    (match[2] ?? "").split("\r\n").map((line): [string, string] => {
      const [name = "", ...value] = line.split(":");
      return [name, value.join(":").trim()];
    }),
  );
  const start = match[0].length;
  return {
    status: Number(match[1]),
    headers,
    body: text.slice(start, start + Number(headers.get("content-length") ?? 0)),
  };
}

/** Parses all responses in the bytes of a connection. */
export function allResponses(text: string): RawResponse[] {
  const responses: RawResponse[] = [];
  for (let rest = text; rest !== "";) {
    const response = firstResponse(rest);
    if (response === undefined) {
      throw new Error(`no response begins with ${JSON.stringify(rest.slice(0, 100))}`);
    }
    responses.push(response);
    rest = rest.slice(rest.indexOf("\r\n\r\n") + 4 + Number(response.headers.get("content-length") ?? 0));
  }
  return responses;
}
