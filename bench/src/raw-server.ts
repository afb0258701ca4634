import { readFileSync } from "node:fs";
import { createServer } from "node:http";

// The reference: node:http and nothing else. With a file of answers (JSON: path to body) it sends those
// ready bytes; without, it is an empty server.

const [answersFile] = process.argv.slice(2);
const answers = new Map<string, Buffer>(
  answersFile === undefined
    ? []
    : Object.entries(JSON.parse(readFileSync(answersFile, "utf8")) as Record<string, string>).map(([path, body]) => [
        path,
        Buffer.from(body),
      ]),
);
const empty = Buffer.from("{}");

const server = createServer((request, response) => {
  const body = answers.get(request.url ?? "") ?? empty;
  response.writeHead(200, { "Content-Type": "application/json; charset=utf-8", "Content-Length": body.length });
  response.end(body);
});
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  process.stdout.write(`http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : ""}\n`);
});
process.once("SIGTERM", () => process.exit(0));
