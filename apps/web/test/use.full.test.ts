import { admin, adminDone } from "@gpu-offers/testkit/admin";
import { nativeFile, nativeRow, nativeRows, tempFile } from "@gpu-offers/testkit/native-catalogs";
import { startService, type Service } from "@gpu-offers/testkit/service";
import { tempDatabase } from "@gpu-offers/testkit/temp-folder";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { count, excessWidth, expectAccessible, names, ready, usePage, whole } from "./chromium.ts";

// Using the page for long, without a mouse, on paper, and with what people set in their browser.

const web = usePage();
const { open } = web;

/** The text of the row that has the focus; undefined if none has. */
function focusedRow(page: Page): Promise<string | undefined> {
  return page.evaluate("document.activeElement?.closest('tr')?.innerText");
}

/** Lets the page look for a newer catalog now, as when its tab is shown again. */
function lookForNewer(page: Page): Promise<void> {
  return page.evaluate("void document.dispatchEvent(new Event('visibilitychange'))");
}

/** A service of its own with `count` offers of different prices. */
async function serviceOf(size: number, settings: Readonly<Record<string, string>> = {}): Promise<Service> {
  const databasePath = tempDatabase();
  await adminDone(databasePath, "catalog", "import", nativeFile(nativeRows(size)));
  return startService({ databasePath, settings });
}

/** Imports its 300 offers again, with some that are cheaper than all of them. */
async function importCheaper(own: Service, size: number): Promise<void> {
  const cheaper = Array.from({ length: size }, (_, number) =>
    nativeRow({ instanceType: `cheap-${number}`, priceHourly: (10 + number) / 100 }),
  );
  const file = nativeFile([...cheaper, ...nativeRows(300)]);
  await adminDone(own.databasePath, "catalog", "import", file, "--accept-changes");
}

/** Presses `j` in every task, also while a new list is made ready, until it is shown; how often. */
const PRESS_UNTIL_REPLACED = `new Promise((resolve) => {
  const before = document.querySelector(".count").innerText;
  let presses = 0;
  const press = () => {
    if (presses === 250 || document.querySelector(".count").innerText !== before) {
      resolve(presses);
    } else {
      document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key: "j", bubbles: true }));
      presses++;
      setTimeout(press);
    }
  };
  press();
})`;

const top = (page: Page): Promise<number> =>
  page.evaluate("document.activeElement.closest('tr').getBoundingClientRect().top");

const activeClass = (page: Page) => page.evaluate("document.activeElement?.className");

describe("a page that stays open", () => {
  test("gets a new catalog without losing cursor, marks or scroll position", async () => {
    const own = await serviceOf(300);
    const page = await open("/", { url: own.url });
    await ready(page);
    await page.locator("#rows .row .mark input").nth(2).click();
    await page.locator(".count .chip.strong", { hasText: "Compare 1" }).waitFor();
    for (let press = 0; press < 61; press++) {
      await page.keyboard.press("j");
    }
    // A key is handled before its row has the focus
    await expect.poll(() => focusedRow(page)).toContain("1.61");
    const [row, before] = [await focusedRow(page), await top(page)];
    await importCheaper(own, 40);
    await expect
      .poll(
        async () => {
          await lookForNewer(page);
          return count(page);
        },
        { timeout: 15_000 },
      )
      .toBe("340");
    expect(await focusedRow(page)).toBe(row);
    expect(Math.abs((await top(page)) - before)).toBeLessThanOrEqual(2);
    expect(await page.locator(".count .chip.strong").innerText()).toBe("Compare 1");
    await page.keyboard.press("Home");
    await expect.poll(() => focusedRow(page)).toContain("0.10");
  });

  test("keeps the row with the cursor when few offers come, and heeds the keys pressed meanwhile", async () => {
    const own = await serviceOf(300);
    const page = await open("/?q=h100", { url: own.url });
    await ready(page);
    await page.focus("#rows .row .open");
    await page.keyboard.press("j");
    await expect.poll(() => focusedRow(page)).toContain("1.01");
    await importCheaper(own, 2);
    await expect
      .poll(async () => {
        await lookForNewer(page);
        return count(page);
      })
      .toBe("302");
    expect(await focusedRow(page)).toContain("1.01");
    let presses: Promise<number> | undefined;
    await page.route(/listings\.json/, async (route) => {
      const response = await route.fetch();
      if (response.status() === 200) {
        presses = page.evaluate<number>(PRESS_UNTIL_REPLACED);
      }
      await route.fulfill({ response });
    });
    await importCheaper(own, 4);
    await expect
      .poll(async () => {
        await lookForNewer(page);
        return presses !== undefined;
      })
      .toBe(true);
    const cursor = 1.01 + Number(await presses) / 100;
    await page.unrouteAll({ behavior: "wait" });
    await expect.poll(() => focusedRow(page)).toContain(cursor.toFixed(2));
  });

  test("open details, marks and the market get the prices of a new catalog", async () => {
    const own = await serviceOf(3);
    const page = await open("/", { url: own.url });
    await ready(page);
    const row = page.locator("#rows .row").nth(2);
    await row.locator(".mark input").click();
    await page.locator(".count .chip.strong", { hasText: "Compare 1" }).waitFor();
    await row.locator(".open").click();
    const pane = page.locator("section.pane");
    await pane.getByRole("heading", { name: "Images" }).waitFor();
    const [first, second] = nativeRows(3);
    const changed = nativeRow({ instanceType: "type-2", priceHourly: 0.9 });
    const file = nativeFile([first, second, changed].flatMap((offer) => offer ?? []));
    await adminDone(own.databasePath, "catalog", "import", file, "--accept-changes");
    await expect
      .poll(
        async () => {
          await lookForNewer(page);
          return pane.locator(".price").innerText();
        },
        { timeout: 15_000 },
      )
      .toContain("$0.91/h with 100 GB");
    await expect
      .poll(async () => {
        await lookForNewer(page);
        return page.locator(".tile").first().innerText();
      })
      .toContain("$0.90");
    await page.locator(".count .chip.strong").click();
    await page.locator(".compare td", { hasText: "$0.91" }).first().waitFor();
    expect(await page.locator("#rows .row .mark input:checked").count()).toBe(1);
  });

  test("keeps its last list, marked with its age, while the service is gone", async () => {
    const own = await serviceOf(40);
    const page = await open("/", { url: own.url });
    await whole(page);
    await own.stop();
    await lookForNewer(page);
    await page.getByRole("alert").waitFor();
    expect(await page.getByRole("alert").innerText()).toMatch(/loaded .* ago.*can't be reached/);
    await page.fill("#q", "<1.10");
    await expect.poll(() => count(page)).toBe("10");
    expect((await names(page)).length).toBe(10);
    for (const index of [0, 1]) {
      await page.locator("#rows .row .mark input").nth(index).click();
    }
    await page.locator(".count .chip.strong", { hasText: "Compare 2" }).click();
    expect(await page.locator(".compare thead th").count()).toBe(2);
  });

  test("asks for a key where the catalog needs one, and keeps it for this tab alone", async () => {
    const own = await serviceOf(40, { REQUIRE_API_KEY: "true" });
    await adminDone(own.databasePath, "account", "create", "--email", "ada@example.com", "--name", "Ada");
    const made = await admin(own.databasePath, "key", "create", "--account", "ada@example.com", "--json");
    const { key } = JSON.parse(made.stdout) as { key: string };
    const page = await open("/?view=gpus", { url: own.url, bypassCSP: true });
    await page.locator(".key input:focus").waitFor();
    await expectAccessible(page);
    await page.locator(".key input:focus").fill("wrong");
    await page.locator(".key button").click();
    await page.getByText("rejected this key").waitFor();
    expect(await page.locator("#app").innerText()).not.toContain("Authorization");
    await page.getByRole("link", { name: "Offers", exact: true }).click();
    expect(await page.evaluate("[sessionStorage.length, localStorage.length, document.cookie]")).toEqual([0, 0, ""]);
    expect(await page.locator("#rows .row").count()).toBe(0);
    await page.locator(".key input").fill(key);
    await page.locator(".key button").click();
    await ready(page);
    expect(await count(page)).toBe("40");
    expect(await page.locator(".key").count()).toBe(0);
    await page.locator("#rows .row .open").nth(1).click();
    await page.locator("section.pane").getByRole("heading", { name: "Launch" }).waitFor();
    await page.reload();
    await ready(page);
    expect(
      await page.evaluate(
        "[sessionStorage.length, JSON.stringify(localStorage).includes(sessionStorage.getItem('gpu-offers-key')), document.cookie]",
      ),
    ).toEqual([1, false, ""]);
    const other = await open("/", { url: own.url });
    await other.locator(".key input").waitFor();
  });
});

test("lists a catalog of more than 100,000 offers in pages of the HTML", { timeout: 180_000 }, async () => {
  const databasePath = tempDatabase();
  const rows = Array.from({ length: 100_001 }, (_, number) =>
    nativeRow({ instanceType: `type-${number}`, priceHourly: (100 + (number % 300)) / 100 }),
  );
  const lines = [
    { format: "gpu-offers/1", asOf: "2026-11-01" },
    { provider: { name: "fjord", type: "vm" } },
    ...rows.map((offer) => ({ offer })),
  ];
  const file = tempFile("large.ndjson", lines.map((line) => JSON.stringify(line)).join("\n"));
  await adminDone(databasePath, "catalog", "import", file);
  const own = await startService({ databasePath });
  const page = await open("/", { url: own.url });
  const list = await page
    .waitForResponse(/listings\.json/)
    .catch(() => page.request.get(`${own.url}/web/listings.json`));
  expect(list.status()).toBe(404);
  expect(await page.locator(".count").innerText()).toContain("100,001 offers of 100,001 · first 25 shown");
  await page.getByRole("link", { name: "Next" }).click();
  await page.waitForURL(/page=1/);
  expect(await page.locator(".count").innerText()).toContain("rows 26 to 50 shown");
  await page.fill("#q", "<1.01");
  await page.press("#q", "Enter");
  await page.waitForURL(/q=/);
  expect(await page.locator(".count").innerText()).toContain("334 offers of 100,001");
  await page.getByRole("link", { name: "GPUs", exact: true }).click();
  await page.locator(".models td a").first().click();
  await page.waitForURL(/gpu=/);
  expect(await page.locator(".count").innerText()).toContain("100,001 offers");
});

test("rows and the comparison have the disks and the stock of their listing", async () => {
  const databasePath = tempDatabase();
  const file = tempFile(
    "vms.csv",
    [
      "InstanceType,AcceleratorName,AcceleratorCount,vCPUs,MemoryGiB,GpuInfo,Price,Region,SpotPrice",
      ...[1, 2].map((size) => `n3-A100x${size},A100-80G-PCIe,${size},28,120.0,,${1.35 * size},CANADA-1,`),
    ].join("\n"),
  );
  await adminDone(databasePath, "catalog", "import", file, "--provider", "hyperstack");
  const own = await startService({ databasePath });
  const { listings } = (await (await fetch(`${own.url}/api/v2/listings?disk=500`)).json()) as {
    listings: { total: { hourly: number }; availability: string }[];
  };
  const page = await open("/?disk=500", { url: own.url });
  await ready(page);
  for (const [index, { total }] of listings.entries()) {
    const cells = await page.locator("#rows .row").nth(index).locator("td.num").allInnerTexts();
    expect(cells).toContain((Math.ceil(total.hourly * 10_000 - 1e-6) / 10_000).toFixed(4));
    await page.locator("#rows .row .mark input").nth(index).click();
  }
  await page.locator(".count .chip.strong", { hasText: "Compare 2" }).click();
  const words = listings.map(({ availability }) => availability.replace("_", " "));
  const row = page.locator(".compare tr", { hasText: "availability" });
  expect((await row.innerText()).replaceAll(/\s+/g, " ").trim()).toBe(["availability", ...words].join(" "));
});

describe("without a mouse", () => {
  test("moves between rows with keys, and a focused row that is scrolled away keeps the focus", async () => {
    const page = await open("/");
    await ready(page);
    await page.keyboard.press("j");
    await expect.poll(() => activeClass(page)).toBe("open");
    await page.keyboard.press("j");
    const [, second] = await names(page);
    await expect.poll(() => page.evaluate("document.activeElement?.textContent")).toBe(second);
    await page.keyboard.press("End");
    await expect.poll(() => page.evaluate("document.activeElement?.closest('tr') !== null")).toBe(true);
    await page.mouse.wheel(0, -100_000);
    expect(await activeClass(page)).toBe("open");
  });

  test("never loses the focus when what had it is gone", async () => {
    const page = await open("/?provider=vast");
    const hasFocus = () => page.evaluate("document.activeElement !== document.body");
    for (const [path, button] of [
      ["/?provider=vast", "provider vast, remove"],
      ["/?min_gpu_count=500", "Without gpus ≥500"],
      ["/?min_gpu_count=500&continent=Antarctica", "Clear all filters"],
      ["/", /^\d+ more$/],
    ] as const) {
      await page.goto(`${web.service.url}${path}`);
      await ready(page);
      await page.locator(".open-filters").click();
      await page.getByRole("button", { name: button }).first().click();
      await page.locator("#rows .row").first().waitFor();
      await expect.poll(async () => [path, await hasFocus()]).toEqual([path, true]);
    }
  });

  test("shows what is loaded before the browser paints", async () => {
    const page = await open("/");
    // Effects run after a frame, or after 35 ms.
    await page.addInitScript(`
      const { setTimeout } = window;
      window.setTimeout = (run, ms, ...values) => setTimeout(run, ms === 35 ? 60_000 : ms, ...values);
      window.requestAnimationFrame = () => 0;
    `);
    await page.goto(`${web.service.url}/?min_gpu_count=500`);
    await page.locator(".nothing").waitFor();
  });

  test("Escape leads from the words to the first row, also if what reads words is not loaded yet", async () => {
    const page = await open("/health/live");
    const load = Promise.withResolvers<void>();
    await page.route(/later-.*js/, async (route) => {
      await load.promise;
      await route.continue();
    });
    await page.goto(web.service.url);
    await ready(page);
    await page.fill("#q", "h100");
    await page.keyboard.press("Escape");
    await expect.poll(() => activeClass(page)).toBe("list");
    load.resolve();
    await expect.poll(() => activeClass(page)).toBe("open");
    expect(await page.inputValue("#q")).toBe("h100");
    await page.keyboard.press("/");
    await page.keyboard.press("Escape");
    await expect.poll(() => activeClass(page)).toBe("open");
  });

  test("reaches the first row within few Tabs", async () => {
    const page = await open("/");
    await ready(page);
    await page.keyboard.press("Tab");
    expect(await page.evaluate("document.activeElement.className")).toBe("skip");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
    expect(await page.evaluate("document.activeElement.closest('#rows') !== null")).toBe(true);
  });
});

describe("with what people set in their browser", () => {
  test("prints rows one below the other, without filters and fields", async () => {
    const page = await open("/?q=h100");
    await whole(page);
    await page.emulateMedia({ media: "print" });
    await page.evaluate("void dispatchEvent(new Event('beforeprint'))");
    await expect.poll(async () => String(await page.locator("#rows .row").count())).toBe(await rowCount(page));
    for (const selector of [".facets", "#q", ".mark", ".doors"]) {
      expect([selector, await page.locator(selector).first().isVisible()]).toEqual([selector, false]);
    }
    const tops = await page.evaluate<number[]>(
      "[...document.querySelectorAll('#rows .row')].map((row) => row.getBoundingClientRect()).map(({ top, bottom }) => [top, bottom]).flat()",
    );
    expect(tops).toEqual(tops.toSorted((a, b) => a - b));
    expect((await page.pdf()).length).toBeGreaterThan(10_000);
    expect((await page.locator("#rows .row .c-gpu").first().boundingBox())?.width).toBeGreaterThan(100);
  });

  test("shows the cursor and the chart in forced colors", async () => {
    const databasePath = tempDatabase();
    for (const days of [20, 10, 1]) {
      const date = new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
      await adminDone(databasePath, "catalog", "import", nativeFile(nativeRows(5)), "--as-of", date);
    }
    const own = await startService({ databasePath });
    const page = await open("/?view=gpus", { forcedColors: "active", url: own.url });
    await page.locator("svg.chart").waitFor();
    const colorOf = (selector: string, name: string) =>
      page.evaluate<string>(`getComputedStyle(document.querySelector("${selector}")).${name}`);
    await expect.poll(() => colorOf(".chart .line", "stroke")).toBe(await colorOf("body", "color"));
    await page.goto(web.service.url);
    await whole(page);
    expect(await colorOf(".row.is-current", "outlineStyle")).toBe("solid");
  });

  test("moves nothing where motion is reduced", async () => {
    for (const [reducedMotion, isMoving] of [
      ["no-preference", true],
      ["reduce", false],
    ] as const) {
      const page = await open("/?q=h100", { reducedMotion });
      await whole(page);
      await page.locator("#rows .row .open").nth(1).click();
      await page.locator("section.pane").waitFor();
      const name = await page.evaluate("getComputedStyle(document.querySelector('section.pane')).animationName");
      expect([reducedMotion, name !== "none"]).toEqual([reducedMotion, isMoving]);
    }
  });

  test("reads at 200 % and 400 % zoom, and on a phone, without scrolling sideways", async () => {
    // A window of 1280 px at 200 % has 640 CSS px
    for (const [width, height] of [
      [640, 400],
      [390, 844],
      [320, 256],
    ] as const) {
      for (const path of ["/", "/?q=8xh100&disk=500&hours=100", "/?sort_by=bandwidthPrice", "/?view=gpus"]) {
        const page = await open(path, { viewport: { width, height } });
        await ready(page);
        expect([path, width, await excessWidth(page)]).toEqual([path, width, 0]);
      }
    }
  });

  test("names and prices are never cut, and don't cover each other", async () => {
    for (const width of [1280, 1024, 768, 390]) {
      const page = await open("/?disk=500&hours=100", { viewport: { width, height: 800 } });
      await ready(page);
      const problems = await page.evaluate(`[...document.querySelectorAll("#rows tbody .row")].flatMap((row) => {
        const name = row.querySelector(".gpu").getBoundingClientRect();
        const others = [...row.querySelectorAll("td:not(.mark)")].filter((cell) => cell.innerText !== "");
        const range = document.createRange();
        return others.flatMap((cell) => {
          range.selectNodeContents(cell);
          const text = range.getBoundingClientRect();
          const isCovered = text.left < name.right && text.right > name.left && text.top < name.bottom - 3;
          const isCut = cell.matches(".num") && text.left < cell.getBoundingClientRect().left - 8;
          return isCovered || isCut ? [row.innerText] : [];
        });
      })`);
      expect([width, problems]).toEqual([width, []]);
    }
  });

  test("works where the browser blocks storage", async () => {
    const page = await open("/web/none");
    await page.addInitScript(() => {
      for (const name of ["localStorage", "sessionStorage"]) {
        Object.defineProperty(globalThis, name, {
          get: () => {
            throw new DOMException("Access is denied for this document.", "SecurityError");
          },
        });
      }
    });
    await page.goto(web.service.url);
    await ready(page);
    await page.fill(".query [name=disk]", "500");
    await page.waitForURL(/disk=500/);
  });

  test("the disk that was typed last is there at a bare address, and in no other", async () => {
    const page = await open("/");
    await ready(page);
    await page.fill(".query [name=disk]", "500");
    await page.waitForURL(/disk=500/);
    await page.goto(web.service.url);
    await ready(page);
    expect(new URL(page.url()).search).toBe("?disk=500");
    await page.goto(`${web.service.url}/?q=h100`);
    await ready(page);
    expect(await page.inputValue(".query [name=disk]")).toBe("");
    await page.goto(web.service.url);
    await ready(page);
    await page.fill(".query [name=disk]", "");
    await page.goto(web.service.url);
    await ready(page);
    expect(new URL(page.url()).search).toBe("");
  });
});

async function rowCount(page: Page): Promise<string> {
  const rows = Number(await page.locator("#rows").getAttribute("aria-rowcount")) - 1;
  return String(rows - (await page.locator("#rows .divider").count()));
}
