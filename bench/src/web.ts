import { existsSync } from "node:fs";
import { join } from "node:path";
import { chromium, type Browser, type CDPSession, type Page } from "playwright-core";
import { makeCatalog } from "./catalogs.ts";
import type { Row } from "./row.ts";
import { startService } from "./service.ts";

// The page in Chromium: bytes, and processor time of the page's main thread, which depends less on what else the machine
// does than the time of a clock. Keys are compared with a bare input in the same browser.

const CHROMIUM = process.env["CHROME_PATH"] ?? "/usr/bin/chromium";

/** Sizes of the catalogs; the first is the starter. */
const SIZES = [375, 5_000, 50_000] as const;

const TYPED = "8xh100 eu <2.5".split("");

/** Milliseconds after each action, in which everything that it causes has happened: the last of it comes after 500. */
const SETTLED_MS = 650;

/** What one size costs. */
interface Measured {
  offers: number;
  /** Compressed bytes until the list is complete. */
  bytes: number;
  /** Compressed bytes of what is loaded later. */
  laterBytes: number;
  requests: number;
  /** Milliseconds of the main thread. */
  load: { script: number; layout: number };
  key: number[];
  cursor: number[];
  facet: number[];
  heading: number[];
  heapMb: number;
  nodes: number;
}

/** Rows of the page at each size: about three minutes; none without Chromium. */
export async function benchWeb(folder: string): Promise<Row[]> {
  if (!existsSync(CHROMIUM)) {
    process.stderr.write(`The page isn't measured: there is no Chromium at ${CHROMIUM} (CHROME_PATH).\n`);
    return [];
  }
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox"] });
  try {
    const bare = median(await measureBare(browser));
    const all: Measured[] = [];
    for (const size of SIZES) {
      const databasePath =
        size === SIZES[0] ? join(folder, "starter.sqlite") : (await makeCatalog(folder, size)).databasePath;
      const service = await startService(databasePath, { LIVE_SYNC: "off" });
      try {
        all.push(await measurePage(browser, service.url));
      } finally {
        await service.stop();
      }
    }
    return all.flatMap((measured, index) => rowsOf(measured, all[0] ?? measured, bare, index));
  } finally {
    await browser.close();
  }
}

const MOST_KB = [45, 70, 300];
const MOST_KEY = [7, 7, 20];
const MOST_HEAP_MB = [8, 8, 40];

function rowsOf(measured: Measured, first: Measured, bare: number, index: number): Row[] {
  const offers = `${measured.offers.toLocaleString("en-US")} offers`;
  const least = (limits: readonly number[]): number => limits[index] ?? 0;
  const row = (
    what: string,
    reference: string,
    text: string,
    ratio: number | undefined,
    bar: string,
    isMet: boolean,
  ) => ({
    what: `page, ${offers}: ${what}`,
    reference,
    measured: text,
    ratio,
    bar,
    isMet,
  });
  const perBare = (what: string, times: readonly number[], most: number): Row => {
    const ratio = median(times) / bare;
    const text = `${ms(median(times))}, p95 ${ms(percentile(times, 0.95))}`;
    return row(what, `bare input: ${ms(bare)} a key`, text, ratio, `<= ${most} times`, ratio <= most);
  };
  const kb = measured.bytes / 1000;
  const script = measured.load.script / first.load.script;
  return [
    row(
      "bytes until the list is complete",
      `${measured.requests} requests; ${Math.round(measured.laterBytes / 1000)} kB later`,
      `${kb.toFixed(1)} kB`,
      undefined,
      `<= ${least(MOST_KB)} kB, 4 requests`,
      kb <= least(MOST_KB) && measured.requests <= 4,
    ),
    row(
      "load, script and layout",
      `script at ${first.offers} offers: ${ms(first.load.script)}`,
      `${ms(measured.load.script)}, ${ms(measured.load.layout)}`,
      script,
      "<= 8 times",
      script <= 8,
    ),
    perBare("a typed key", measured.key, least(MOST_KEY)),
    perBare("a cursor key", measured.cursor, 2.5),
    perBare("a click on a facet", measured.facet, 25),
    perBare("a click on a heading", measured.heading, 25),
    row(
      "heap, DOM nodes",
      "–",
      `${measured.heapMb.toFixed(1)} MB, ${measured.nodes.toLocaleString("en-US")}`,
      undefined,
      `<= ${least(MOST_HEAP_MB)} MB, 1,500`,
      measured.heapMb <= least(MOST_HEAP_MB) && measured.nodes <= 1_500,
    ),
  ];
}

/** Processor time of each key in an input of a page that has nothing else. */
async function measureBare(browser: Browser): Promise<number[]> {
  const page = await browser.newPage();
  const client = await measuring(page);
  await page.setContent('<!doctype html><input id="q">');
  await page.focus("#q");
  const times = await timesOfKeys(page, client, [...TYPED, ...TYPED]);
  await page.close();
  return times;
}

async function measurePage(browser: Browser, url: string): Promise<Measured> {
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
  const box = page.locator(".facets fieldset").first().locator("input").first();
  const facet = await timesOf(page, client, 8, () => box.click());
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
    load: { script: script * 1000, layout: (layout + style) * 1000 },
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

function median(times: readonly number[]): number {
  return percentile(times, 0.5);
}

function percentile(times: readonly number[], share: number): number {
  const sorted = times.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

function ms(time: number): string {
  return `${time.toFixed(1)} ms`;
}
