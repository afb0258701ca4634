import { readFileSync } from "node:fs";
import { Agent } from "node:http";
import { newApiKey } from "@gpu-offers/store/api-key.store";
import { makeAccount } from "@gpu-offers/testkit/accounts";
import { startCollector } from "@gpu-offers/testkit/collector";
import { fetchFrom, type HttpRequest } from "@gpu-offers/testkit/http";
import { exchange } from "@gpu-offers/testkit/raw-socket";
import { startService } from "@gpu-offers/testkit/service";
import { stressTest } from "./stress-test.ts";

// Sends keys in every place where a caller might put one, correct or not, then searches everything that the service
// wrote and served for any part of them.

/** Length of a key fragment that counts as a leak. */
const PIECE = 12;

const encodedFully = (key: string): string => key.replaceAll(/./g, (letter) => `%${letter.charCodeAt(0).toString(16)}`);
const base64 = (key: string): string => Buffer.from(`:${key}`).toString("base64");

/** Ways to send a key, including the correct one. */
const PLACES: ((key: string) => [path: string, request: HttpRequest])[] = [
  (key) => ["/api/v1/account", { headers: { Authorization: `Bearer ${key}` } }],
  (key) => ["/api/v1/account/balance", { headers: { Authorization: `Bearer ${key}` } }],
  (key) => ["/api/v1/offers?size=1", { headers: { Authorization: key } }],
  (key) => ["/api/v1/account", { headers: { Authorization: `Bearer ${key}0` } }],
  (key) => ["/api/v1/account", { headers: { Authorization: `Basic ${base64(key)}` } }],
  (key) => ["/api/v1/account", { headers: { "X-Api-Key": key, Cookie: `key=${key}`, "User-Agent": key } }],
  (key) => ["/api/v1/providers", { headers: { Referer: `http://x/?${key}`, Origin: `http://${key}` } }],
  (key) => ["/api/v1/providers", { headers: { "If-None-Match": `"${key}"`, Accept: key, "Accept-Language": key } }],
  (key) => ["/nothing", { headers: { "X-Request-Id": key } }],
  (key) => ["/nothing", { headers: { "X-Request-Id": `a-${key}` } }],
  (key) => ["/health/live", { headers: { traceparent: key, tracestate: `a=${key}`, baggage: `key=${key}` } }],
  (key) => ["/health/live", { headers: { "X-Forwarded-For": key, Forwarded: `for=${key}` } }],
  (key) => [`/api/v1/offers?api_key=${key}`, {}],
  (key) => [`/api/v1/offers?gpu=${key}`, {}],
  (key) => [`/api/v1/offers?sort_by=${key}&page=${key}`, {}],
  (key) => [`/api/v1/offers?${key}=1`, {}],
  (key) => [`/api/v1/offers?${key}`, {}],
  (key) => [`/api/v1/offers?${encodedFully(key)}=${encodedFully(key)}`, {}],
  (key) => [`/api/v1/account?key=gpo%5F${key.slice(4)}`, { headers: { Authorization: `Bearer ${key}` } }],
  (key) => [`/api/v1/offers/${key}`, {}],
  (key) => [`/api/v1/providers/${key}/images?instance_type=${key}`, {}],
  (key) => [`/api/v1/offers/${encodedFully(key)}`, {}],
  (key) => [`/${key}`, { method: "OPTIONS" }],
  (key) => [`/${key}/%zz?${key}`, {}],
  (key) => [`/docs/${key}`, {}],
  (key) => ["/api/v1/account", { method: "POST", headers: { Authorization: `Bearer ${key}` } }],
  (key) => [`http://x/api/v1/offers?key=${key}`, { headers: { Host: "x" } }],
];

/** Bytes that are not a request, with a key in them. */
const BROKEN: ((key: string) => string)[] = [
  (key) => `GET /api/v1/account HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nX\0: a\r\n\r\n`,
  (key) => `${key} /api/v1/account HTTP/1.1\r\nHost: x\r\n\r\n`,
  (key) => `GET /${key} HTTP/9.9\r\nHost: ${key}\r\n\r\n`,
  (key) => `GET / HTTP/1.1\r\nHost: x\r\n${key}\r\n\r\n`,
];

/** The first keys found in part in a text, also when percent-encoded. */
function findKeys(text: string, pieces: ReadonlyMap<string, string>): string[] {
  const plain = text.replaceAll(/%([0-9a-f]{2})/gi, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
  const found: string[] = [];
  for (let start = 0; start + PIECE <= plain.length && found.length < 3; start++) {
    const place = pieces.get(plain.slice(start, start + PIECE));
    if (place !== undefined) {
      found.push(`${place}: ...${plain.slice(Math.max(0, start - 60), start + PIECE)}...`);
      start += PIECE;
    }
  }
  return found;
}

stressTest(
  "marked keys in every place",
  { bar: "none in logs, metrics, spans, errors, database", unit: "requests", n: 10_000, shortN: 310 },
  async ({ n, report }) => {
    const collector = await startCollector();
    const service = await startService({
      settings: { LOG_LEVEL: "trace", OTEL_EXPORTER_OTLP_ENDPOINT: collector.url },
    });
    const real = await Promise.all(Array.from({ length: 5 }, () => makeAccount(service.databasePath)));
    const agent = new Agent({ keepAlive: true, maxSockets: 8 });
    const pieces = new Map<string, string>();
    const responses: string[] = [];
    const send = async (number: number): Promise<void> => {
      const key = number % 3 === 0 ? (real[number % real.length]?.key ?? "") : newApiKey();
      const place = number % (PLACES.length + BROKEN.length);
      for (const text of [key.slice(4), base64(key).slice(8)]) {
        pieces.set(text.slice(0, PIECE), `request ${number}, place ${place}`);
        pieces.set(text.slice(-PIECE), `request ${number}, place ${place}`);
      }
      const broken = BROKEN[place - PLACES.length];
      if (broken !== undefined) {
        responses.push(await exchange(service, broken(key)));
        return;
      }
      const [path, request] = PLACES[place]?.(key) ?? ["/", {}];
      const response = await fetchFrom(service, path, { ...request, agent });
      responses.push(`${JSON.stringify(response.headers)}${response.status < 400 ? "" : response.text}`);
    };
    for (let number = 0; number < n; number += 8) {
      await Promise.all(Array.from({ length: Math.min(8, n - number) }, (_, more) => send(number + more)));
    }
    const metrics = await fetchFrom(service, "/metrics");
    agent.destroy();
    const { stdout, stderr } = await service.stop();
    const database = readFileSync(service.databasePath, "latin1");
    const searched: [string, string][] = [
      ["the log", stdout],
      ["standard error", stderr],
      ["the metrics", metrics.status === 200 ? metrics.text : ""],
      ["the spans", collector.received.join("\n")],
      ["the responses", responses.join("\n")],
      ["the database", database],
    ];
    for (const [where, text] of searched) {
      for (const found of findKeys(text, pieces)) {
        report(`${where}: ${found}`);
      }
    }
    if (collector.received.length === 0) {
      report("no span was sent");
    }
    if (stdout.split("\n").length < n) {
      report("the log has fewer lines than there were requests");
    }
    return `${PLACES.length + BROKEN.length} places`;
  },
);
