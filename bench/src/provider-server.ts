import { gzipSync } from "node:zlib";
import { parentPort } from "node:worker_threads";
import { json, startReplay, type Replay } from "@gpu-offers/testkit/replay-server";
import { PROVIDERS } from "./provider-responses.ts";
import { FAILING, NAMES } from "./provider-names.ts";

// A thread that serves ten providers, one of which fails in a different way at each request. It posts its address, and on
// each message the number of requests and failures so far. The thread that measures latency must not send megabytes itself.

const HTML: Replay = { headers: { "content-type": "text/html" }, body: "<html>Log in</html>" };

const to = (location: string): Replay => ({ status: 302, headers: { location } });

/**
 * 25 ways to fail: statuses, broken connections, oversized or non-JSON bodies, redirects, contradictions. Those that
 * delay a run come last.
 */
const FAILURES: readonly Replay[] = [
  { status: 404 },
  { status: 204 },
  { status: 304 },
  HTML,
  to("http://169.254.169.254/latest"),
  to("https://elsewhere.example/"),
  to("/azure/api/retail/prices"),
  { headers: { "content-encoding": "br" }, body: "{}" },
  { problem: "cut-json" },
  { problem: "bomb" },
  { problem: "spaces" },
  json({ Items: "none" }),
  json({ Items: [{ armSkuName: "Standard_ND96isr_H100_v5" }] }),
  json({ Items: [], NextPageLink: "https://elsewhere.example/" }),
  json({}),
  { status: 429, headers: { "retry-after": "600" } },
  { status: 429, body: "API requests too frequent" },
  { status: 500 },
  { status: 502 },
  { status: 503, headers: { "retry-after": "1" } },
  { problem: "reset" },
  { problem: "cut-gzip" },
  { headers: { "content-encoding": "gzip" }, body: gzipSync("[").subarray(0, 8) },
  { problem: "silence" },
  { problem: "drip" },
];

const counts = { requests: 0, failures: 0 };

function respond(target: string): Replay {
  counts.requests++;
  const name = NAMES.find((one) => target.startsWith(`/${one}/`)) ?? "";
  if (name === FAILING) {
    return FAILURES[counts.failures++ % FAILURES.length] as Replay;
  }
  // A new price each time, so that each run brings changes.
  return PROVIDERS[name]?.(target, 2 + (counts.requests % 50) / 100) ?? { status: 404 };
}

const { url } = await startReplay(({ target }) => respond(target));
parentPort?.postMessage({ url, ways: FAILURES.length }, []);
parentPort?.on("message", () => parentPort?.postMessage(counts, []));
