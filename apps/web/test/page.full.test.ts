import { createRequire } from "node:module";
import { readFile } from "node:fs/promises";
import { chromium, type Browser, type BrowserContextOptions, type Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { startService, type Service } from "@gpu-offers/testkit/service";

// The page in Chromium, as the built service serves it. Without a browser these tests fail.

const CHROMIUM = process.env["CHROME_PATH"] ?? "/usr/bin/chromium";
const AXE = createRequire(import.meta.url).resolve("axe-core/axe.min.js");

let service: Service;
let browser: Browser;
/** Errors of the console and violations of the policy since the last test. */
let problems: string[] = [];

beforeAll(async () => {
  service = await startService();
  browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox"] });
});
afterAll(() => browser.close());
afterEach(() => {
  const seen = problems;
  problems = [];
  if (seen.length > 0) {
    throw new Error(seen.join("\n"));
  }
});

async function open(path: string, options: BrowserContextOptions = {}): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, ...options });
  page.setDefaultTimeout(15_000);
  page.on("pageerror", (error) => problems.push(String(error)));
  page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
  await page.goto(`${service.url}${path}`);
  return page;
}

const ready = (page: Page) => page.locator("#rows .row, .gpus .models tr, .nothing").first().waitFor();
const count = async (page: Page) => (await page.locator(".count strong").innerText()).replace(/\D/g, "");
const names = (page: Page) => page.locator("#rows .row .gpu").allInnerTexts();

async function totalOf(query: string): Promise<string> {
  const response = await fetch(`${service.url}/listings?${query}`);
  const { totalElements } = (await response.json()) as { totalElements: number };
  return String(totalElements);
}

describe("the list", () => {
  test("has its first rows in the HTML, and a form that works, without scripts", async () => {
    const page = await open("/?q=h100", { javaScriptEnabled: false });
    expect(await page.locator("table.offers tbody tr.row").count()).toBe(25);
    expect(await page.locator("table.offers").innerText()).toContain("H100");
    await page.fill("#q", "l40s");
    await page.press("#q", "Enter");
    await page.waitForURL(/q=l40s/);
    expect(await page.locator("table.offers").innerText()).toContain("L40S");
    await page.close();
  });

  test("filters while one types, and the address is the query", async () => {
    const page = await open("/");
    await ready(page);
    expect(await count(page)).toBe(await totalOf("verified=not-false"));
    await page.keyboard.press("/");
    await page.keyboard.type("8xh100 eu");
    await page.waitForURL(/q=8xh100/);
    expect(await count(page)).toBe(await totalOf("verified=not-false&q=8xh100+eu"));
    await page.reload();
    await ready(page);
    expect(await count(page)).toBe(await totalOf("verified=not-false&q=8xh100+eu"));
    expect(await page.locator(".doors a").getAttribute("href")).toBe("./listings?q=8xh100+eu&verified=not-false");
    await page.close();
  });

  test("narrows by facets whose counts come true, and sorts by headings", async () => {
    const page = await open("/");
    await ready(page);
    const box = page.locator(".facets fieldset").filter({ hasText: "Provider" }).locator("label").first();
    const wanted = (await box.locator(".number").innerText()).replace(/\D/g, "");
    await box.locator("input").check();
    await page.waitForURL(/provider=/);
    expect(await count(page)).toBe(wanted);
    await page.locator("#rows thead button", { hasText: "GPU-h" }).click();
    await page.waitForURL(/sort_order=desc/);
    expect(await page.locator("#rows th[aria-sort]").getAttribute("aria-sort")).toBe("descending");
    await page.locator(".chip", { hasText: "provider" }).click();
    expect(await count(page)).toBe(await totalOf("verified=not-false"));
    await page.close();
  });

  test("says what is wrong with an address, and lists the rest", async () => {
    const page = await open("/?foo=1&gpu=h1000&min_vram=abc&q=l4");
    await ready(page);
    const notices = (await page.locator(".notice").allInnerTexts()).join("\n");
    expect(notices).toMatch(/"foo"[^]*"abc"[^]*"h1000"/);
    expect(await count(page)).toBe(await totalOf("verified=not-false&q=l4"));
    await page.close();
  });

  test("moves between rows with keys and never loses the focus", async () => {
    const page = await open("/");
    await ready(page);
    await page.keyboard.press("j");
    await expect.poll(() => page.evaluate("document.activeElement?.className")).toBe("open");
    await page.keyboard.press("j");
    const [, second] = await names(page);
    await expect.poll(() => page.evaluate("document.activeElement?.textContent")).toBe(second);
    await page.keyboard.press("End");
    await expect.poll(() => page.evaluate("document.activeElement?.closest('tr') !== null")).toBe(true);
    await page.mouse.wheel(0, -100_000);
    expect(await page.evaluate("document.activeElement?.className")).toBe("open");
    await page.close();
  });
});

describe("panes", () => {
  test("details have images, prices over time and launch texts; back closes them, Escape returns the focus", async () => {
    const page = await open("/?q=h100+eu&disk=100");
    await ready(page);
    await page.locator("#rows .row:has(.mark input) .open").first().click();
    await page.waitForURL(/offer=/);
    const pane = page.locator("section.pane");
    await pane.getByRole("heading", { name: "Images" }).waitFor();
    await pane.locator("svg.chart").waitFor();
    expect(await pane.getByRole("heading", { name: "Launch" }).count()).toBe(1);
    expect(await page.evaluate("document.activeElement?.className")).toBe("close");
    await page.reload();
    await pane.getByRole("heading", { name: "Images" }).waitFor();
    await page.keyboard.press("Escape");
    await pane.waitFor({ state: "detached" });
    await expect.poll(() => page.evaluate("document.activeElement?.className")).toBe("open");
    await page.goBack();
    await pane.waitFor();
    await page.close();
  });

  test("compares marked offers, under an address that works elsewhere", async () => {
    const page = await open("/");
    await ready(page);
    for (const index of [0, 1, 3]) {
      await page.locator("#rows .row .mark input").nth(index).click();
    }
    await page.locator(".count .chip.strong", { hasText: "Compare 3" }).click();
    await page.waitForURL(/compare=[^,]+,[^,]+,/);
    expect(await page.locator(".compare thead th").count()).toBe(3);
    const other = await open(new URL(page.url()).search.replace(/^/, "/"));
    await other.locator(".compare thead th").nth(2).waitFor();
    await other.close();
    await page.close();
  });

  test("GPUs show prices now and over time, and lead to their offers", async () => {
    const page = await open("/?view=gpus");
    await page.locator(".models tbody tr").first().waitFor();
    await page.locator("svg.chart").waitFor();
    const row = page.locator(".models tbody tr").filter({ hasText: "H100 SXM" });
    const offers = await row.locator("td button").innerText();
    await row.locator("td button").click();
    await page.locator("#rows").waitFor();
    expect(await count(page)).toBe(offers);
    await page.close();
  });
});

describe("around it", () => {
  test("the service gone: the list stays, marked with its age", async () => {
    const own = await startService();
    const page = await browser.newPage();
    await page.goto(own.url);
    await ready(page);
    await own.stop();
    await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
    await page.getByRole("alert").waitFor();
    expect(await page.getByRole("alert").innerText()).toMatch(/can't be reached.*loaded .* ago/);
    expect((await names(page)).length).toBeGreaterThan(10);
    await page.close();
  });

  test("where a key is needed, it is asked for, and a wrong one is rejected", async () => {
    const own = await startService({ settings: { REQUIRE_API_KEY: "true" } });
    const page = await browser.newPage();
    await page.goto(own.url);
    await page.locator(".key input").fill("wrong");
    await page.locator(".key button").click();
    await page.getByText("rejected this key").waitFor();
    expect(await page.evaluate("[sessionStorage.length, localStorage.length, document.cookie]")).toEqual([0, 0, ""]);
    expect(await page.locator("#rows .row").count()).toBe(0);
    await page.close();
  });

  test("fits on a phone in every view", async () => {
    for (const path of ["/", "/?q=8xh100&disk=500&hours=100", "/?view=gpus"]) {
      const page = await open(path, { viewport: { width: 390, height: 844 } });
      await ready(page);
      expect([path, await page.evaluate("document.documentElement.scrollWidth")]).toEqual([path, 390]);
      await page.close();
    }
  });

  test("few nodes, few requests", async () => {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    const requests: string[] = [];
    page.on("request", (request) => requests.push(new URL(request.url()).pathname));
    await page.goto(service.url);
    await ready(page);
    expect(Number(await page.evaluate("document.querySelectorAll('*').length"))).toBeLessThanOrEqual(1_500);
    // The icon doesn't count: browsers ask for one anyway.
    const until = requests
      .slice(0, requests.indexOf("/web/listings.json") + 1)
      .filter((path) => !path.endsWith(".svg"));
    expect(until.map((path) => /\.\w+$/.exec(path)?.[0] ?? path).sort()).toEqual([".css", ".js", ".json", "/"]);
    await page.close();
  });

  test("axe finds nothing, in light and dark", { timeout: 180_000 }, async () => {
    const axe = await readFile(AXE, "utf8");
    for (const colorScheme of ["light", "dark"] as const) {
      for (const [path, width] of [
        ["/", 1280],
        ["/?q=h100&disk=500&hours=10", 390],
        ["/?q=nosuchthing", 1280],
        ["/?view=gpus", 1280],
      ] as const) {
        const page = await open(path, { bypassCSP: true, colorScheme, viewport: { width, height: 800 } });
        await ready(page);
        if (path === "/") {
          await page.locator("#rows .row .mark input").first().click();
          await page.locator("#rows .row:has(.mark input) .open").nth(1).click();
          await page.locator("section.pane").getByRole("heading", { name: "Images" }).waitFor();
        }
        await page.evaluate(axe);
        const found = await page.evaluate(
          "axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes.map((node) => node.html.slice(0, 120)).slice(0, 3).join(' | ')))",
        );
        expect([path, colorScheme, found]).toEqual([path, colorScheme, []]);
        await page.close();
      }
    }
  });
});
