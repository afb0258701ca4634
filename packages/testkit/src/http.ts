import { Agent, request, type IncomingHttpHeaders } from "node:http";

/** An answer as it came over the socket. */
export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
  text: string;
}

/** How a question is asked, where it is not a plain GET. */
export interface Question {
  method?: string;
  headers?: Readonly<Record<string, string>>;
  body?: string;
  agent?: Agent;
}

const keepAlive = new Agent({ keepAlive: true, maxSockets: 8 });

/** Asks a service over HTTP. The path goes out as it is written: nothing is encoded or tidied up. */
export function ask(service: { port: number }, path: string, question: Question = {}): Promise<Answer> {
  const { method = "GET", headers = {}, body = "", agent = keepAlive } = question;
  return new Promise((resolve, reject) => {
    const outgoing = request({ host: "127.0.0.1", port: service.port, path, method, headers, agent }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.once("error", reject);
      response.once("end", () => {
        const bytes = Buffer.concat(chunks);
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: bytes,
          text: bytes.toString("utf8"),
        });
      });
    });
    outgoing.once("error", reject);
    outgoing.end(body);
  });
}

/** The body of an answer as JSON. */
export function jsonOf(answer: Answer): unknown {
  return JSON.parse(answer.text);
}
