import { readFileSync } from "node:fs";
import { parentPort } from "node:worker_threads";
import { gzipSync } from "node:zlib";
import { json, startReplay, type Replay } from "@gpu-offers/testkit/replay-server";

// A thread that serves ten providers, one of which fails in a different way at each request. It posts its address, and on
// each message the number of requests and failures so far. The thread that measures latency must not send megabytes itself.

/** Responses of nine providers, each with a few hundred offers of 8x H100 or an L40S, for `expand`. */
const PROVIDERS = JSON.parse(readFileSync(new URL("./providers.json", import.meta.url), "utf8")) as Record<
  string,
  unknown
>;

/** The failing source; each of its regions fails in a different way. */
const FAILING = "azure";

const REGIONS = Array.from({ length: 400 }, (_, number) => `site-${number}`);

/** A response at a price in USD per GPU and hour: `$each` makes a list of regions, and texts with `$` are values. */
function expand(template: unknown, price: number, region = ""): unknown {
  if (Array.isArray(template)) {
    return template.map((item) => expand(item, price, region));
  }
  if (typeof template === "object" && template !== null) {
    return "$each" in template
      ? REGIONS.map((each) => expand(template.$each, price, each))
      : Object.fromEntries(Object.entries(template).map(([key, value]) => [key, expand(value, price, region)]));
  }
  const values: Record<string, unknown> = {
    $region: region,
    $usd: price,
    $usd8: 8 * price,
    $cents8: Math.round(800 * price),
    $text8: (8 * price).toFixed(2),
  };
  return typeof template === "string" && template in values ? values[template] : template;
}

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
const names = [...Object.keys(PROVIDERS), FAILING];

function respond(target: string): Replay {
  counts.requests++;
  const name = names.find((one) => target.startsWith(`/${one}/`)) ?? "";
  if (name === FAILING) {
    return FAILURES[counts.failures++ % FAILURES.length] as Replay;
  }
  // A new price each time, so that each run brings changes.
  return json(expand(PROVIDERS[name], 2 + (counts.requests % 50) / 100));
}

const { url } = await startReplay(({ target }) => respond(target));
parentPort?.postMessage({ url, names, failing: FAILING, ways: FAILURES.length }, []);
parentPort?.on("message", () => parentPort?.postMessage(counts, []));
