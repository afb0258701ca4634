import { readFileSync } from "node:fs";
import { createServer } from "node:http";

// The reference: plain node:http. With a file of bodies (JSON: path to body) it sends those bytes, or 304 to requests
// with If-None-Match; without one, it is an empty server.

const [bodiesFile, uniqueParameter = "\n"] = process.argv.slice(2);
const bodies = new Map<string, Buffer>(
  bodiesFile === undefined
    ? []
    : Object.entries(JSON.parse(readFileSync(bodiesFile, "utf8")) as Record<string, string>).map(([path, body]) => [
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
  const address = server.address();
  process.stdout.write(`http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : ""}\n`);
});
process.once("SIGTERM", () => process.exit(0));
