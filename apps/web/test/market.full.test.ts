import { adminDone } from "@gpu-offers/testkit/admin";
import { nativeFile, nativeRow } from "@gpu-offers/testkit/native-catalogs";
import { startService, type Service } from "@gpu-offers/testkit/service";
import { tempDatabase } from "@gpu-offers/testkit/temp-folder";
import { expect, test } from "vitest";
import { count, excessWidth, expectAccessible, ready, usePage, whole } from "./chromium.ts";

// The market above the list, and the pages of GPUs, with prices that were observed on some days.

const DAYS = [40, 20, 19, 5, 1, 0];

/** A service whose offers became cheaper by a cent from one observation to the next. */
async function observedService(): Promise<Service> {
  const databasePath = tempDatabase();
  for (const [index, days] of DAYS.entries()) {
    const date = new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
    const rows = [1, 2, 3, 4].map((number) =>
      nativeRow({ instanceType: `type-${number}`, priceHourly: number + 1 - index / 100 }),
    );
    await adminDone(databasePath, "catalog", "import", nativeFile(rows), "--as-of", date, "--accept-changes");
  }
  return startService({ databasePath });
}

const web = usePage(observedService);
const { open } = web;

/** The GPU of the test's catalog. */
const SLUG = "h100-sxm";

test("tiles show the price, its change with what it rests on, and gaps; one filters the list", async () => {
  const page = await open("/");
  await ready(page);
  const tile = page.locator(".tile").first();
  expect(await tile.innerText()).toMatch(/\$1\.95[^]*-\d(?:\.\d)? % since [\d-]+, 4 machines[^]*median \$2\.95/);
  const path = await tile.locator(".spark path").getAttribute("d");
  // 20 and 19, 5, 1 and 0 days ago
  expect(path?.match(/M/g)).toHaveLength(3);
  expect(await page.locator("#market details .moves").first().innerText()).toMatch(
    /Moved most within 7 days: .* -[\d.]+ %/,
  );
  await tile.locator("a").first().click();
  await page.waitForURL(/gpu==/);
  expect(await count(page)).toBe("4");
  expect(await page.locator(".tile").count()).toBe(1);
});

/** A service with some machines of other days: lists of numbers, by days before today. */
async function machinesOf(days: Readonly<Record<number, readonly number[]>>): Promise<Service> {
  const databasePath = tempDatabase();
  for (const [ago, numbers] of Object.entries(days).toReversed()) {
    const date = new Date(Date.now() - Number(ago) * 86_400_000).toISOString().slice(0, 10);
    const file = nativeFile(
      numbers.map((number) => nativeRow({ instanceType: `type-${number}`, priceHourly: number })),
    );
    await adminDone(databasePath, "catalog", "import", file, "--as-of", date, "--accept-changes");
  }
  return startService({ databasePath });
}

test("says which machines are new, of providers that were read before", { timeout: 60_000 }, async () => {
  for (const [days, isNew] of [
    [{ 3: [1, 2, 3], 0: [1, 2, 3, 4, 5] }, true],
    [{ 3: [1, 2, 3], 0: [1, 2] }, false],
    [{ 0: [1, 2, 3] }, false],
    [{ 20: [1], 0: [1, 2] }, false],
  ] as const) {
    const page = await open("/", { url: (await machinesOf(days)).url });
    await ready(page);
    const text = await page.locator("#market").innerText();
    expect([days, /New or back within 7 days: 2 H100 SXM at \S+/.test(text)]).toEqual([days, isNew]);
    expect([days, text.includes("New or back")]).toEqual([days, isNew]);
  }
});

test("says what the market is of where the sample is beside an offer for sale", async () => {
  const own = await startService();
  const htmlOf = async (path: string) =>
    (await fetch(`${own.url}${path}`, { headers: { Accept: "text/html" } })).text();
  expect(await htmlOf("/")).not.toContain("Prices are of offers for sale");
  await adminDone(own.databasePath, "catalog", "import", nativeFile([nativeRow({ priceHourly: 9 })]));
  await expect.poll(() => htmlOf("/")).toContain("Prices are of offers for sale");
  const [, first = "", second = ""] = (await htmlOf("/")).split('class="tile"');
  expect(first).toMatch(/H100 SXM[^]*\$9\.00[^]*1 provider[^]*\d+ sample offers not counted/);
  expect(second).toContain("sample prices, not for sale");
  expect(await htmlOf(`/gpus/${SLUG}`)).toMatch(
    /from \$9\.00\/h[^<]*1 offer of 1 provider; \d+ sample offers not counted\./,
  );
  expect(await htmlOf("/?view=gpus")).toContain("<small>sample</small>");
});

test("a closed market is remembered, keeps nothing, and is loaded once it is opened", async () => {
  const own = await machinesOf({ 1: [1, 2, 3] });
  const page = await open("/", { url: own.url });
  await ready(page);
  const tiles = page.locator(".tile");
  const summary = page.locator("#market summary");
  await summary.click();
  await expect.poll(() => tiles.count()).toBe(0);
  const pages: string[] = [];
  page.on("request", (request) => request.resourceType() === "xhr" && pages.push(request.url()));
  const file = nativeFile([nativeRow({ priceHourly: 9 })]);
  const today = new Date().toISOString().slice(0, 10);
  await adminDone(own.databasePath, "catalog", "import", file, "--as-of", today, "--accept-changes");
  await expect
    .poll(async () => {
      await page.evaluate("void document.dispatchEvent(new Event('visibilitychange'))");
      return page.locator("#rows .row").first().innerText();
    })
    .toContain("9.00");
  expect(pages).toEqual([]);
  await page.reload();
  await ready(page);
  expect(await tiles.count()).toBe(0);
  await summary.click();
  await tiles.first().waitFor();
  await page.reload();
  await ready(page);
  expect(await tiles.count()).toBe(1);
});

test("a market that fails says so, and is loaded again", async () => {
  const page = await open("/?max_price=100");
  await ready(page);
  expect(await page.locator(".tile").count()).toBe(0);
  await page.route(/\/$/, (route) => route.abort());
  await page.locator("#market summary").click();
  await page.getByRole("alert").filter({ hasText: "Market: The service can't be reached." }).waitFor();
  await page.unrouteAll();
  await page.getByRole("button", { name: "Retry" }).click();
  await page.locator(".tile").first().waitFor();
  expect(await page.getByRole("alert").count()).toBe(0);
});

test.for([
  ["the market", "/", 1280],
  ["the market on a phone", "/", 390],
  ["a GPU with its prices", `/gpus/${SLUG}?since=30d`, 1280],
  ["GPUs over each other on a phone", `/?view=gpus&gpu==${SLUG},h200-sxm`, 390],
] as const)("axe finds nothing in %s", async ([, path, width]) => {
  const page = await open(path, { bypassCSP: true, viewport: { width, height: 800 } });
  await ready(page);
  await expectAccessible(page);
});

test("the page of a GPU is whole without scripts", async () => {
  const page = await open(`/gpus/${SLUG}?since=30d`, { javaScriptEnabled: false });
  const text = await page.locator("main").innerText();
  for (const heading of [
    "Price over time",
    "Cheapest offers",
    "Stock by provider and size",
    "Worth beside",
    "Models",
  ]) {
    expect(text).toContain(heading);
  }
  expect(await page.locator("svg.chart .line").getAttribute("d")).toMatch(/^M[^M]*M[^M]*M[^M]*$/);
  expect((await page.locator("svg.chart .band").getAttribute("d"))?.match(/Z/g)).toHaveLength(5);
  expect(await page.locator(".stats").innerText()).toMatch(
    /from\s+\$1\.95\s+p10\s+\$1\.95\s+median\s+\$2\.95\s+p90\s+\$4\.95/,
  );
  expect(await page.title()).toMatch(/from \$1\.95\/h/);
  await page.locator("summary").click();
  expect(await page.locator("table.values tbody tr").count()).toBe(5);
  expect(await page.locator("table.values").innerText()).toMatch(
    /p10\s+median\s+p90[^]*1\.95\s+1\.95\s+2\.95\s+4\.95\s+4\s+1 of 1/,
  );
  // One of each provider
  expect(await page.locator(".two .facts").first().locator("tbody tr").count()).toBe(1);
  await page.locator("table.facts a").first().click();
  await page.waitForURL(/offer=/);
  expect(await page.locator("section.offer").innerText()).toContain("$1.95");
});

test("a chart tells its values to a pointer and to keys, begins at zero, and is a file", async () => {
  const page = await open(`/?view=gpus&gpu==${SLUG},h200-sxm&since=90d`);
  expect(await page.locator("svg.chart text").first().textContent()).toBe("$0");
  expect(await page.locator(".legend").innerText()).toMatch(/H200[^]*never observed yet/);
  await page.locator(".plot").focus();
  await page.keyboard.press("End");
  await expect.poll(() => page.locator(".plot .at").innerText()).toMatch(/^\d{4}-\d\d-\d\d · .* 2\.95 · H200 SXM –$/);
  await page.keyboard.press("ArrowLeft");
  await expect.poll(() => page.locator(".plot .at").innerText()).toMatch(/2\.96/);
  const box = await page.locator("svg.chart").boundingBox();
  await page.mouse.move((box?.x ?? 0) + (box?.width ?? 0) * 0.6, (box?.y ?? 0) + 50);
  await expect.poll(() => page.locator(".plot .at").innerText()).toMatch(/3\.00/);
  const [file] = await Promise.all([page.waitForEvent("download"), page.getByRole("link", { name: "CSV" }).click()]);
  const stream = await file.createReadStream();
  const text = (await stream.toArray()).join("");
  expect(text).toMatch(/^From,.*,H200 SXM\n\d{4}-\d\d-\d\d,3\.00,–\n/);
  expect(await excessWidth(page)).toBe(0);
});

test("marked GPUs are laid over each other, under an address", async () => {
  const page = await open("/?view=gpus", { javaScriptEnabled: false });
  await page.getByRole("button", { name: "over time" }).click();
  await page.waitForURL(/gpu=/);
  expect(await page.locator(".legend li").count()).toBe(1);
  await page.goto(`${web.service.url}/?view=gpus&gpu=nosuch,h100&since=30d`);
  expect(await page.locator(".notice").innerText()).toContain('gpu "nosuch" is unknown.');
  await page.locator(".models thead a", { hasText: "$/GB" }).click();
  await page.locator(".models thead", { hasText: "↑ $/GB" }).waitFor();
});

test("filters work as a form without scripts, and a row opens its offer", async () => {
  const page = await open("/?disk=100", { javaScriptEnabled: false });
  await page.locator("details.filters summary").click();
  await page.fill("[name=max_price]", "3");
  await page.getByRole("button", { name: "Show offers" }).click();
  await page.waitForURL(/max_price=3/);
  expect(new URL(page.url()).searchParams.get("disk")).toBe("100");
  expect(await page.locator(".count").innerText()).toContain("2 offers of 4");
  await page.locator(".first a.gpu").first().click();
  expect(await page.locator("section.offer").innerText()).toMatch(/with 100 GB[^]*prices as of\s+\d{4}-/);
});

test("says what is cheaper than at the last visit, which the browser remembers", async () => {
  const page = await open("/");
  await ready(page);
  await expect.poll(() => page.evaluate("localStorage.getItem('gpu-offers-visit')")).not.toBeNull();
  expect(await page.locator(".since").count()).toBe(0);
  const visit = { atMs: Date.now() - 3 * 86_400_000, micros: { [SLUG]: 2_170_000 } };
  await page.evaluate(`localStorage.setItem("gpu-offers-visit", ${JSON.stringify(JSON.stringify(visit))})`);
  await page.reload();
  await page.locator(".since", { hasText: /Cheaper since your last visit 3 d ago: .* \$2\.17 → \$1\.95/ }).waitFor();
});

test("a query is a feed, whose entries change with the price, and the list is a file", async () => {
  const response = await fetch(`${web.service.url}/feed?max_price=2`);
  expect([response.status, response.headers.get("content-type")]).toEqual([200, "application/atom+xml; charset=utf-8"]);
  const feed = await response.text();
  expect(feed.match(/<entry>/g)).toHaveLength(1);
  // With the disk that the list shows, and that the link opens
  expect(feed).toMatch(/: \$1\.96\d*\/h with 100 GB<[^]*href="\.\/\?max_price=2&amp;offer=/);
  expect(await (await fetch(`${web.service.url}/feed?disk=500&size=1`)).text()).toMatch(/\/h with 500 GB</);
  expect((await fetch(`${web.service.url}/feed?max_price=x`)).status).toBe(400);
  const page = await open("/?hours=10&max_price=2");
  await ready(page);
  const [file] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "CSV" }).click()]);
  const lines = (await (await file.createReadStream()).toArray()).join("").trim().split("\n");
  expect(lines).toHaveLength(2);
  expect(lines[1]).toMatch(/,1\.95,1\.95,100,[\d.]+,19\.[\d.]+,/);
  expect(await page.title()).toMatch(/10 h.* from \$1\.9\d*\/h/);
});

test("rows are copied with tabs", async () => {
  const page = await open("/", { permissions: ["clipboard-read", "clipboard-write"] });
  await whole(page);
  await page.evaluate(`(() => {
    const [first, second] = document.querySelectorAll("#rows .row");
    getSelection().setBaseAndExtent(first, 0, second, second.childNodes.length);
  })()`);
  await page.keyboard.press("Control+c");
  const lines = (await page.evaluate<string>("navigator.clipboard.readText()")).split("\n");
  expect(lines.map((line) => line.split("\t").length > 5)).toEqual([true, true]);
});
