import { existsSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { chromium, type Browser, type CDPSession, type Page } from "playwright-core";
import { tempDatabase } from "@gpu-offers/testkit/temp-folder";
import { makeCatalog } from "./catalogs.ts";
import { addMeasured } from "./measured-row.ts";
import { startQuiet } from "./servers.ts";
import { median, quantile } from "./timing.ts";

// The page in Chromium: bytes, and processor time of the page's main thread, which depends less on what else the machine
// does than the time of a clock. Keys are compared with a bare input in the same browser.

const CHROMIUM = process.env["CHROME_PATH"] ?? "/usr/bin/chromium";

const TYPED = "8xh100 eu <2.5".split("");

/** Milliseconds after each action, in which everything that it causes has happened: the last of it comes after 500. */
const SETTLED_MS = 650;

/** What one size costs. */
interface Measured {
  offers: number;
  /** Compressed bytes until the list is complete, and of what is loaded later. */
  bytes: number;
  laterBytes: number;
  requests: number;
  /** Milliseconds of the main thread. */
  script: number;
  layout: number;
  key: number[];
  cursor: number[];
  facet: number[];
  heading: number[];
  heapMb: number;
  nodes: number;
}

let browser: Browser;

beforeAll(async () => {
  if (existsSync(CHROMIUM)) {
    browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox"] });
  }
});
afterAll(() => browser?.close());

test.skipIf(!existsSync(CHROMIUM))("the page with 375, 5,000 and 50,000 offers", async (context) => {
  const bare = median(await measureBare());
  const all: Measured[] = [];
  // A new database has the starter catalog.
  for (const databasePath of [tempDatabase(), await makeCatalog(5_000), await makeCatalog(50_000)]) {
    const service = await startQuiet(databasePath, { LIVE_SYNC: "off" });
    all.push(await measurePage(service.url));
    await service.stop();
  }
  const of = (text: (measured: Measured) => string | number): string => all.map(text).join("/");
  const row = (
    what: string,
    reference: string,
    measured: string,
    bar: string,
    value: number[],
    isRatio = false,
  ): void =>
    addMeasured(context, { what: `page: ${what}`, reference, measured, bar, value, ...(isRatio && { ratio: value }) });
  const perBare = (what: string, key: "key" | "cursor" | "facet" | "heading", bar: string): void => {
    const text = `${of((one) => median(one[key]).toFixed(1))} ms, p95 ${of((one) => quantile(one[key], 0.95).toFixed(1))} ms`;
    const ratios = all.map((one) => median(one[key]) / bare);
    row(what, `bare input: ${bare.toFixed(1)} ms`, text, bar, ratios, true);
  };
  row(
    "bytes until the list is complete",
    `${all[0]?.requests} requests; ${Math.round((all[0]?.laterBytes ?? 0) / 1000)} kB later`,
    `${of(({ bytes }) => (bytes / 1000).toFixed(1))} kB`,
    "<= 60/70/300 kB, 4 requests",
    all.map(({ bytes }) => bytes / 1000),
  );
  const scripts = all.map(({ script }) => script / (all[0]?.script ?? 0));
  const load = `${of(({ script }) => script.toFixed(1))} ms, ${of(({ layout }) => layout.toFixed(1))} ms`;
  row("load, script and layout", "script at 375 offers", load, "<= 8 times", scripts, true);
  perBare("a typed key", "key", "<= 7/7/20 times");
  perBare("a cursor key", "cursor", "<= 2.5 times");
  perBare("a click on a facet", "facet", "<= 25 times");
  perBare("a click on a heading", "heading", "<= 25 times");
  row(
    "heap, DOM nodes",
    "–",
    `${of(({ heapMb }) => heapMb.toFixed(1))} MB, ${of(({ nodes }) => nodes)}`,
    "<= 8/8/40 MB, 1,500",
    all.map(({ heapMb }) => heapMb),
  );
  expect.soft(Math.max(...all.map(({ requests }) => requests))).toBeLessThanOrEqual(4);
  expect.soft(Math.max(...all.map(({ nodes }) => nodes))).toBeLessThanOrEqual(1_500);
});

/** Processor time of each key in an input of a page that has nothing else. */
async function measureBare(): Promise<number[]> {
  const page = await browser.newPage();
  const client = await measuring(page);
  await page.setContent('<!doctype html><input id="q">');
  await page.focus("#q");
  const times = await timesOfKeys(page, client, [...TYPED, ...TYPED]);
  await page.close();
  return times;
}

async function measurePage(url: string): Promise<Measured> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  const client = await measuring(page);
  const transfer = await watchTransfer(client);
  await page.goto(url);
  await page.locator("#rows .row").first().waitFor();
  const loaded = transfer().complete;
  await page.waitForLoadState("networkidle");
  await page.waitForTimeout(3 * SETTLED_MS);
  const {
    ScriptDuration: script = 0,
    LayoutDuration: layout = 0,
    RecalcStyleDuration: style = 0,
  } = await metricsOf(client);
  const offers = Number((await page.locator(".count").innerText()).match(/of ([\d,]+)/)?.[1]?.replaceAll(",", ""));
  const { all } = transfer();
  await page.focus("#q");
  // Once without measuring: words are read and code is compiled for the first time
  await timesOfKeys(page, client, TYPED);
  await page.fill("#q", "");
  const key = await timesOfKeys(page, client, TYPED);
  await page.fill("#q", "");
  await page.waitForTimeout(SETTLED_MS);
  await page.keyboard.press("Escape");
  const cursor = await timesOfKeys(page, client, Array<string>(12).fill("ArrowDown"));
  await page.locator(".open-filters").click();
  const box = page.locator(".facets fieldset").first().locator("input").first();
  const facet = await timesOf(page, client, 8, () => box.click());
  await page.locator(".open-filters").click();
  const heading = page.locator("#rows thead button", { hasText: "GPU-h" });
  const headings = await timesOf(page, client, 8, () => heading.click());
  await client.send("HeapProfiler.collectGarbage");
  const { JSHeapUsedSize: heap = 0 } = await metricsOf(client);
  const nodes = Number(await page.evaluate("document.querySelectorAll('*').length"));
  await page.close();
  return {
    offers,
    bytes: loaded.bytes,
    laterBytes: all.bytes - loaded.bytes,
    requests: loaded.requests,
    script: script * 1000,
    layout: (layout + style) * 1000,
    key,
    cursor,
    facet,
    heading: headings,
    heapMb: heap / 1e6,
    nodes,
  };
}

async function measuring(page: Page): Promise<CDPSession> {
  const client = await page.context().newCDPSession(page);
  await client.send("Performance.enable", { timeDomain: "threadTicks" });
  return client;
}

interface Transfer {
  requests: number;
  /** Compressed, with headers. */
  bytes: number;
}

/** Counts requests and their bytes on the wire; the icon doesn't count, because browsers ask for one anyway. */
async function watchTransfer(client: CDPSession): Promise<() => { complete: Transfer; all: Transfer }> {
  await client.send("Network.enable");
  const counted = new Map<string, string>();
  const all: Transfer = { requests: 0, bytes: 0 };
  let complete: Transfer = all;
  client.on("Network.requestWillBeSent", ({ requestId, request }) => {
    if (!request.url.endsWith(".png")) {
      counted.set(requestId, request.url);
    }
  });
  client.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    const url = counted.get(requestId);
    if (url !== undefined) {
      all.requests++;
      all.bytes += encodedDataLength;
      complete = url.endsWith(".json") ? { ...all } : complete;
    }
  });
  return () => ({ complete, all });
}

async function metricsOf(client: CDPSession): Promise<Record<string, number>> {
  const { metrics } = await client.send("Performance.getMetrics");
  return Object.fromEntries(metrics.map(({ name, value }) => [name, value]));
}

function timesOfKeys(page: Page, client: CDPSession, keys: readonly string[]): Promise<number[]> {
  const left = [...keys];
  return timesOf(page, client, keys.length, () => page.keyboard.press(left.shift() ?? ""));
}

/** Milliseconds of the main thread that each of some actions takes, with all that it causes. */
async function timesOf(page: Page, client: CDPSession, count: number, act: () => Promise<void>): Promise<number[]> {
  const times: number[] = [];
  for (let number = 0; number < count; number++) {
    const { TaskDuration: before = 0 } = await metricsOf(client);
    await act();
    await page.waitForTimeout(SETTLED_MS);
    const { TaskDuration: after = 0 } = await metricsOf(client);
    times.push((after - before) * 1000);
  }
  return times;
}
