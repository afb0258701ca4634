import { present } from "@gpu-offers/domain";
import { adminDone } from "@gpu-offers/testkit/admin";
import { nativeFile, nativeRows } from "@gpu-offers/testkit/native-catalogs";
import { startService } from "@gpu-offers/testkit/service";
import { tempDatabase } from "@gpu-offers/testkit/temp-folder";
import type { Page, Route } from "playwright-core";
import { describe, expect, test } from "vitest";
import { count, names, ready, usePage } from "./chromium.ts";

// Each request of the page late, failing and blocked: what is shown then, and how the page recovers. And where the list stands
// after something was opened, closed, left and loaded again.

const web = usePage();
const { open } = web;

/** Holds, fails or rejects requests until it is released. */
async function hold(page: Page, path: RegExp, how: "fail" | "error" | "wait"): Promise<() => Promise<void>> {
  const { promise: isReleased, resolve: release } = Promise.withResolvers<void>();
  const handler = async (route: Route): Promise<void> => {
    switch (how) {
      case "fail":
        return route.abort();
      case "error":
        return route.fulfill({ status: 503, contentType: "application/json", body: '{"message":"Out of order."}' });
      case "wait":
        await isReleased;
        return route.continue();
    }
  };
  await page.route(path, handler);
  return async () => {
    release();
    if (how !== "wait") {
      await page.unroute(path, handler);
    }
  };
}

const focusAgain = (page: Page): Promise<void> => page.evaluate("void dispatchEvent(new Event('focus'))");

const LATER = /\/assets\/later-/;
const LIST = /\/web\/listings\.json/;

describe("a query whose words aren't loaded", () => {
  test.for(["fail", "wait"] as const)("never has the rows of another query: %s", async (how) => {
    const page = await open("/web/none");
    const release = await hold(page, LATER, how);
    await page.goto(`${web.service.url}/`);
    await ready(page);
    const all = await count(page);
    await page.fill("#q", "8xh100 eu");
    await page.locator(".count", { hasText: /Words of your query/ }).waitFor();
    expect([await page.locator("#rows .row").count(), await page.locator(".count strong").count()]).toEqual([0, 0]);
    await release();
    if (how === "fail") {
      await page.getByRole("button", { name: "Retry" }).first().click();
    }
    await ready(page);
    expect(await count(page)).not.toBe(all);
    expect((await names(page)).every((name) => name.startsWith("8× H100"))).toBe(true);
  });

  test("keeps the rows of the HTML, which are its own, and says that there are more", async () => {
    const page = await open("/web/none");
    const release = await hold(page, LATER, "fail");
    await page.goto(`${web.service.url}/?q=8xh100+eu`);
    await page.locator(".state", { hasText: "These are the first offers." }).waitFor();
    expect((await page.locator(".first .gpu").allInnerTexts()).every((name) => name.startsWith("8× H100"))).toBe(true);
    await release();
    await pressRetry(page);
    await page.locator("#rows").waitFor();
    expect(await page.locator(".state").count()).toBe(0);
  });
});

/** Presses the button at once: on a busy machine the page may have recovered by itself, and has none. */
async function pressRetry(page: Page): Promise<void> {
  await page
    .locator(".state button")
    .evaluateAll((buttons: HTMLElement[]) => buttons.forEach((button) => button.click()));
}

describe("the list", () => {
  test("says that rows of the HTML don't follow what is typed before it is loaded, and then does", async () => {
    const page = await open("/web/none");
    const release = await hold(page, LIST, "wait");
    await page.goto(`${web.service.url}/`);
    await page.fill("#q", "l40s");
    await page.locator(".state", { hasText: "don't follow what you typed" }).waitFor();
    await release();
    await page.locator("#rows").waitFor();
    await expect.poll(async () => (await names(page)).every((name) => name.includes("L40S"))).toBe(true);
    expect(await page.inputValue("#q")).toBe("l40s");
  });

  test.for(["fail", "error"] as const)("recovers by itself, on focus and by its button: %s", async (how) => {
    for (const recover of [pressRetry, focusAgain, (page: Page) => page.locator("#rows").waitFor()]) {
      const page = await open("/web/none");
      const release = await hold(page, LIST, how);
      await page.goto(`${web.service.url}/`);
      await page.locator(".state").waitFor();
      expect(await page.locator(".first .row").count()).toBe(25);
      await release();
      await recover(page);
      await page.locator("#rows .row").first().waitFor();
    }
  });
});

describe("details", () => {
  test.for([
    ["id", /\/api\/v1\/offers\?size=1/, "Details"],
    ["listing", /\/listings\/[^/]*$/, "Details"],
    ["history", /\/history\?/, "Price over time"],
    ["launch texts", /\/launch\?/, "Launch texts"],
  ] as const)("say what of them is late or failed, and load it again: %s", async ([, path, what]) => {
    for (const how of ["wait", "error", "fail"] as const) {
      const page = await open("/?q=h100");
      await ready(page);
      const release = await hold(page, path, how);
      await page.locator("#rows .row:has(.mark input) .open").first().click();
      const line = page.locator(".pane", {
        hasText: how === "wait" ? `${what}: loading` : how === "error" ? `${what}: Out of order.` : `${what}: The`,
      });
      await line.waitFor();
      await release();
      if (how === "error") {
        await page.locator(".pane").getByRole("button", { name: "Retry" }).click();
      } else if (how === "fail") {
        await focusAgain(page);
      }
      await expect
        .poll(() => page.locator(".pane").innerText())
        .not.toMatch(/: (?:loading|Out of order|The service|Offer not)/);
      await page.getByRole("heading", { name: "Images" }).waitFor();
    }
  });

  test("show that their script is loading or failed", async () => {
    const page = await open("/web/none");
    const release = await hold(page, LATER, "fail");
    await page.goto(`${web.service.url}/`);
    await ready(page);
    await page.locator("#rows .row:has(.mark input) .open").first().click();
    await page.locator(".pane", { hasText: /can't be loaded/ }).waitFor();
    await release();
    // It may have recovered by itself before a click on Retry.
    await focusAgain(page);
    await page.getByRole("heading", { name: "Images" }).waitFor();
  });
});

test("an offer that is gone is said to be, without a retry", async () => {
  const page = await open("/?offer=00000000-0000-4000-8000-000000000000");
  await page.locator(".pane", { hasText: "not found" }).waitFor();
  const requests: string[] = [];
  page.on("request", (request) => requests.push(request.url()));
  await focusAgain(page);
  await page.waitForTimeout(1_500);
  expect(requests.filter((url) => /listings\/0/.test(url))).toEqual([]);
});

test("an offer that left its provider's list is found by its address and by filter, sold out at its last price", async () => {
  const databasePath = tempDatabase();
  const [left, ...rest] = nativeRows(4).map((row) => Object.assign(row, { listing: { seller: "cloud" } }));
  for (const rows of [[present(left), ...rest], rest]) {
    const now = ["--accept-changes", "--as-of", new Date().toISOString().slice(0, 10)];
    await adminDone(databasePath, "catalog", "import", nativeFile(rows), ...now);
  }
  const own = await startService({ databasePath });
  const page = await open("/", { url: own.url });
  await ready(page);
  const gone = page.locator("#rows .row", { hasText: "sold out" });
  await gone.locator(".open").click();
  const pane = page.locator(".pane", { hasText: /sold out/ });
  await pane.waitFor();
  expect(await pane.innerText()).toContain("$1.00/h");
  const again = await open(new URL(page.url()).search.replace(/^/, "/"), { url: own.url });
  await again.locator(".pane", { hasText: /sold out/ }).waitFor();
  const found = await open("/?availability=sold_out", { url: own.url });
  await ready(found);
  expect(await count(found)).toBe("1");
  await own.stop();
});

test("a service that stopped is found again without a word", async () => {
  const own = await startService();
  const page = await open("/", { url: own.url });
  await ready(page);
  await own.stop();
  await page.evaluate("void document.dispatchEvent(new Event('visibilitychange'))");
  await page.getByRole("alert").first().waitFor();
  const again = await startService({ databasePath: own.databasePath, settings: { PORT: String(own.port) } });
  await page.getByRole("alert").first().waitFor({ state: "detached" });
  await again.stop();
});

describe("the place in the list", () => {
  /** Distance of a row from the top of the window, px; its name and price. */
  const placeOf = (page: Page, index: number): Promise<number> =>
    page.evaluate(`document.querySelector("#rows .row[aria-rowindex='${index}']")?.getBoundingClientRect().top ?? -1`);

  test.for([390, 768, 1280, 1920])("stays on open, Escape, Back and reload, at %i px", async (width) => {
    const page = await open("/", { viewport: { width, height: 800 } });
    await ready(page);
    await page.mouse.move(width / 2, 700);
    await page.mouse.wheel(0, 4_000);
    // The first offer that is seen and no group
    let at = 0;
    await expect
      .poll(
        async () =>
          (at = await page.evaluate<number>(`[...document.querySelectorAll("#rows .row:has(.mark input)")]
      .filter((row) => { const { top } = row.getBoundingClientRect(); const list = document.querySelector('.list'); return scrollY + list.scrollTop > 3000 && top > Math.max(60, list.getBoundingClientRect().top + 60) && top < innerHeight - 120; })
      .map((row) => Number(row.getAttribute("aria-rowindex")))[0] ?? 0`)),
      )
      .toBeGreaterThan(0);
    const before = await placeOf(page, at);
    const stays = async (when: string): Promise<void> => {
      await expect.poll(async () => [when, Math.abs((await placeOf(page, at)) - before) <= 3]).toEqual([when, true]);
    };
    await page.locator(`#rows .row[aria-rowindex='${at}'] .open`).click();
    await page.getByRole("heading", { name: "Images" }).waitFor();
    await stays("open");
    await page.keyboard.press("Escape");
    await page.locator(".pane").waitFor({ state: "detached" });
    await stays("Escape");
    await page.goBack();
    await page.getByRole("heading", { name: "Images" }).waitFor();
    await stays("Back to the details");
    await page.reload();
    await page.getByRole("heading", { name: "Images" }).waitFor();
    await stays("reload with details");
    await page.goBack();
    await page.locator(".pane").waitFor({ state: "detached" });
    await stays("Back");
    await page.waitForTimeout(400);
    await page.reload();
    await ready(page);
    await stays("reload");
    await page.goto(`${web.service.url}/docs`);
    await page.goBack();
    await ready(page);
    await stays("Back from another page");
  });
});

test.for([
  ["as it is", ""],
  ["in another font", "html { font-family: 'DejaVu Sans Mono', monospace !important; }"],
  ["in large type", "html { font-size: 22px !important; }"],
])("headings have room between them, %s", async ([, css]) => {
  for (const path of ["/?disk=10000&hours=100", "/?disk=10000&sort_by=bandwidthPrice", "/?sort_by=total"]) {
    const page = await open(path, { viewport: { width: 390, height: 800 }, bypassCSP: true });
    await page.addStyleTag({ content: `${css} ` });
    await ready(page);
    const gaps = () =>
      page.evaluate<number[]>(`(() => {
        const texts = [...document.querySelectorAll("#rows thead th:not(.mark)")].map((cell) => {
          const range = document.createRange();
          range.selectNodeContents(cell);
          return range.getBoundingClientRect();
        });
        return texts.slice(1).map(({ left }, index) => Math.round(left - texts[index].right));
      })()`);
    for (const width of [391, 769, 1281, 1921]) {
      await page.setViewportSize({ width, height: 800 });
      await expect.poll(async () => [width, path, (await gaps()).filter((gap) => gap < 6)]).toEqual([width, path, []]);
    }
    await page.close();
  }
});

test("chips are called what they show", async () => {
  const page = await open("/?min_vram=900&provider=vast&verified=any");
  await ready(page);
  const chips = await page.evaluate<[string, string][]>(
    "[...document.querySelectorAll('.count .chip[data-filter]')].map((chip) => [chip.innerText.replace(' ×', ''), chip.getAttribute('aria-label')])",
  );
  expect(chips.length).toBe(3);
  for (const [shown, spoken] of chips) {
    expect(spoken).toContain(shown);
  }
});
