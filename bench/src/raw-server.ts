import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

// The reference: plain node:http. It sends the bodies of a file (JSON: path to body), or 304 to requests with
// If-None-Match, and `{}` for other paths.

const [file = "", uniqueParameter = "\n"] = process.argv.slice(2);
const bodies = new Map(
  Object.entries(JSON.parse(readFileSync(file, "utf8")) as Record<string, string>).map(([path, body]) => [
    path,
    Buffer.from(body),
  ]),
);
const empty = Buffer.from("{}");

const server = createServer((request, response) => {
  if (request.headers["if-none-match"] !== undefined) {
    response.writeHead(304).end();
    return;
  }
  const [path = ""] = (request.url ?? "").split(uniqueParameter);
  const body = bodies.get(path) ?? empty;
  response.writeHead(200, { "Content-Type": "application/json; charset=utf-8", "Content-Length": body.length });
  response.end(body);
});
server.listen(0, "127.0.0.1", () => {
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
});
