import { createRequire } from "node:module";
import { readFile } from "node:fs/promises";
import { chromium, type Browser, type BrowserContextOptions, type Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect } from "vitest";
import { startService, type Service } from "@gpu-offers/testkit/service";

// The page in Chromium, as the built service serves it. Without a browser, full tests fail.

/** The browser of tests. */
export const CHROMIUM = process.env["CHROME_PATH"] ?? "/usr/bin/chromium";

/** A browser, and a service with the starter catalog, for the tests of a file. */
export function usePage(start: () => Promise<Service> = startService) {
  let service: Service;
  let browser: Browser;
  let problems: string[] = [];
  beforeAll(async () => {
    service = await start();
    browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox"] });
  });
  afterAll(() => browser.close());
  afterEach(async () => {
    const seen = problems;
    problems = [];
    await Promise.all(browser.contexts().map((context) => context.close()));
    if (seen.length > 0) {
      throw new Error(seen.join("\n"));
    }
  });
  return {
    get service() {
      return service;
    },
    /** Opens a path, of another service if one is given. Errors of the console and violations of the policy fail the test. */
    open: async (
      path: string,
      { url = service.url, ...options }: BrowserContextOptions & { url?: string } = {},
    ): Promise<Page> => {
      const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, ...options });
      page.setDefaultTimeout(15_000);
      page.on("pageerror", (error) => problems.push(String(error)));
      page.on("console", (message) => {
        // Requests that fail are what some tests are about
        if (message.type() === "error" && !message.text().startsWith("Failed to load resource")) {
          problems.push(message.text());
        }
      });
      await page.goto(`${url}${path}`);
      return page;
    },
  };
}

/** Waits for the list, or for what is there instead. */
export function ready(page: Page): Promise<void> {
  return page.locator("#rows .row, .gpus .models tr, .nothing").first().waitFor();
}

/** Waits for what the page loads after its list: words of queries, panes, copying with tabs, styles of print and of forced colors. */
export async function whole(page: Page): Promise<void> {
  await expect.poll(() => page.evaluate("document.querySelector('.doors') !== null")).toBe(true);
}

/** The number of matching offers, as digits. */
export async function count(page: Page): Promise<string> {
  return (await page.locator(".count strong").innerText()).replace(/\D/g, "");
}

/** Names of the rendered rows. */
export function names(page: Page): Promise<string[]> {
  return page.locator("#rows .row .gpu").allInnerTexts();
}

/** By how many px the page is wider than its window. */
export function excessWidth(page: Page): Promise<number> {
  return page.evaluate("document.documentElement.scrollWidth - innerWidth");
}

const AXE = createRequire(import.meta.url).resolve("axe-core/axe.min.js");

/** Checks with axe, light and dark, and that nothing is wider than the window. The page must be opened with `bypassCSP`. */
export async function expectAccessible(page: Page): Promise<void> {
  expect(await excessWidth(page)).toBe(0);
  await page.evaluate(await readFile(AXE, "utf8"));
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    const found = await page.evaluate(
      "axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes.map((node) => node.html.slice(0, 120)).slice(0, 3).join(' | ')))",
    );
    expect([colorScheme, found]).toEqual([colorScheme, []]);
  }
}
