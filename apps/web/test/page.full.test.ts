import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { count, expectAccessible, ready, usePage } from "./chromium.ts";

// The list, its panes and the view of GPUs in Chromium.

const web = usePage();
const { open } = web;

async function openDetails(page: Page): Promise<void> {
  await page.locator("#rows .row:has(.mark input) .open").nth(1).click();
  await page.locator("section.pane").getByRole("heading", { name: "Images" }).waitFor();
}

async function compare(page: Page): Promise<void> {
  for (const index of [0, 1, 3]) {
    await page.locator("#rows .row .mark input").nth(index).click();
  }
  await page.locator(".count .chip.strong", { hasText: "Compare 3" }).click();
  await page.waitForURL(/compare=[^,]+,[^,]+,/);
  await page.locator(".compare").waitFor();
}

async function openFilters(page: Page): Promise<void> {
  await page.locator(".open-filters").click();
  await page.locator(".facets.is-open").waitFor();
}

/** Fails some requests from now on, and waits for what says so. */
function failing(path: RegExp, act: (page: Page) => Promise<unknown>, said: RegExp) {
  return async (page: Page): Promise<void> => {
    await page.route(path, (route) => route.abort());
    await act(page);
    await page.getByText(said).first().waitFor();
  };
}

/** Views of the page: name, path, width of the window, and what opens it. */
const VIEWS: readonly (readonly [string, string, number, ((page: Page) => Promise<void>)?])[] = [
  ["the details", "/", 1280, openDetails],
  ["the comparison", "/?disk=500", 1280, compare],
  ["no matches", "/?q=nosuchthing", 1280],
  ["the GPUs", "/?view=gpus", 1280],
  ["the list on a phone", "/?q=h100&disk=500&hours=10", 390],
  ["the filters on a phone", "/?q=h100", 390, openFilters],
  ["the details on a phone", "/?q=h100", 390, openDetails],
  ["the comparison on a phone", "/?q=h100", 390, compare],
  ["the GPUs on a phone", "/?view=gpus", 390],
  ["the filters and their chips", "/?q=h100&min_vram=40&nvlink=true", 1280, openFilters],
  ["a list that failed", "/", 1280, failing(/listings\.json/, (page) => page.reload(), /These are the first offers/)],
  [
    "words that failed",
    "/",
    390,
    failing(/assets\/later-/, (page) => page.reload().then(() => page.fill("#q", "8xh100 eu")), /Words of your query/),
  ],
  [
    "details that failed",
    "/?q=h100",
    390,
    failing(
      /history|launch\?/,
      (page) => page.locator("#rows .row:has(.mark input) .open").first().click(),
      /Launch texts: The/,
    ),
  ],
  [
    "a market that failed",
    "/?q=h100",
    1280,
    failing(/\/$/, (page) => page.locator("#market summary").click(), /Market: The/),
  ],
  ["a GPU", "/gpus/h100-sxm", 1280],
  ["a GPU on a phone", "/gpus/h100-sxm", 390],
];

async function totalOf(query: string): Promise<string> {
  const response = await fetch(`${web.service.url}/api/v2/listings?${query}`);
  const { totalElements } = (await response.json()) as { totalElements: number };
  return String(totalElements);
}

/** Names of what has a part that is wider than itself. */
function cut(page: Page, selector: string): Promise<string[]> {
  return page
    .locator(selector)
    .evaluateAll((all) =>
      all.filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth).map(({ textContent }) => textContent),
    );
}

describe("the list", () => {
  test("has room for prices far above the median, and the page of a GPU for its cheapest offers", async () => {
    const page = await open("/?q=8xh100+eu&hours=24");
    await page
      .locator("#rows .num", { hasText: /^\d{3} % above$/ })
      .first()
      .waitFor();
    expect(await cut(page, "#rows .num")).toEqual([]);
    await page.goto(`${web.service.url}/gpus/h100-sxm`);
    expect(await cut(page, ".two .scroll")).toEqual([]);
  });

  test("has its first rows in the HTML, and a form that works, without scripts", async () => {
    const page = await open("/?q=h100", { javaScriptEnabled: false });
    expect(await page.locator("table.offers tbody tr.row").count()).toBe(25);
    expect(await page.locator("table.offers").innerText()).toContain("H100");
    await page.fill("#q", "l40s");
    await page.press("#q", "Enter");
    await page.waitForURL(/q=l40s/);
    expect(await page.locator("table.offers").innerText()).toContain("L40S");
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
    expect(await page.locator(".doors a").first().getAttribute("href")).toBe(
      "./api/v2/listings?q=8xh100+eu&verified=not-false",
    );
  });

  test("narrows by facets whose counts come true, and sorts by headings", async () => {
    const page = await open("/");
    await ready(page);
    await openFilters(page);
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
  });

  test("a facet of a GPU whose name is also that of a family chooses it alone", async () => {
    const page = await open("/?q=a100");
    await ready(page);
    await openFilters(page);
    const box = page.locator(".facets fieldset").filter({ hasText: "GPU" }).first().getByLabel("A100 40GB");
    await box.check();
    await page.waitForURL(/gpu==a100-40gb/);
    expect(await count(page)).toBe(await totalOf("gpu==a100-40gb"));
  });

  test("shows the first offers of a new query, wherever one was before", async () => {
    const page = await open("/");
    await ready(page);
    const scrolled = () => page.evaluate("document.querySelector('.list').scrollTop");
    // On a busy machine, keys may come before the page listens to them.
    const scrolledToEnd = async () => {
      await page.keyboard.press("j");
      await page.keyboard.press("End");
      return scrolled();
    };
    await expect.poll(scrolledToEnd).toBeGreaterThan(5_000);
    await page.fill("#q", "h100");
    await expect.poll(scrolled).toBe(0);
    await expect.poll(() => page.locator("#rows .row").count()).toBeGreaterThan(15);
    expect(await page.locator("#rows .row").first().getAttribute("class")).toContain("is-current");
  });

  test("queries that need figures of GPUs wait for them", async () => {
    for (const [query, text] of [
      ["min_bandwidth=3000", /H\d00|MI\d00/],
      ["q=8x&sort_by=bf16Price", /\d\.\d{4}/],
    ] as const) {
      const page = await open(`/?${query}`);
      await ready(page);
      await expect.poll(() => count(page)).toBe(await totalOf(`${query}&verified=not-false`));
      await expect.poll(() => page.locator("#rows .row").count()).toBeGreaterThan(5);
      expect(await page.locator("#rows .row").first().innerText()).toMatch(text);
    }
  });

  test("asks for a job in one sentence, and totals it with a disk of 100 GB unless another is asked for", async () => {
    const page = await open("/");
    await ready(page);
    const sentence = (await page.locator(".job").innerText()).replaceAll(/\s+/g, " ");
    expect(sentence).toMatch(/^Rent.*or more GPUs.*of type.*that fit.*in.*with.*GB of disk.*for.*hours.*on \$/);
    await page.fill(".job [name=gpu]", "h100");
    await page.selectOption(".job [name=continent]", "Europe");
    await page.fill(".job [name=hours]", "10");
    await page.waitForURL(/\?gpu=h100&continent=Europe&hours=10$/);
    expect(await count(page)).toBe(await totalOf("gpu=h100&continent=Europe&verified=not-false"));
    expect(await page.locator("#rows thead").innerText()).toContain("$/h+100 GB");
    const total = page.locator("#rows .row").first().locator("td[title^='$']");
    const exact = Number((await total.getAttribute("title"))?.replace("$", ""));
    expect(await total.innerText()).toBe((Math.ceil(exact * 100 - 1e-6) / 100).toFixed(2));
    // The list is in the order of the column that was clicked, and the disk that it shows is asked for
    await page.locator("#rows thead button", { hasText: "$/h+" }).click();
    await page.waitForURL(/disk=100/);
    const { listings } = (await (
      await fetch(`${web.service.url}/api/v2/listings?gpu=h100&continent=Europe&disk=100&sort_by=total`)
    ).json()) as { listings: { total: { hourly: number } }[] };
    const row = await page.locator("#rows .row").first().innerText();
    expect(row).toContain(listings[0]?.total.hourly.toFixed(4));
    await page.goto(`${web.service.url}/`);
    for (const example of await page.locator("#market > .moves a").all()) {
      const href = (await example.getAttribute("href"))?.slice(3) ?? "";
      expect(Number(await totalOf(href))).toBeGreaterThan(0);
    }
  });

  test("the controls of the job show what the words say, and take their place", async () => {
    const page = await open("/?q=8xh100+eu+for+3+days");
    await ready(page);
    const valueOf = (name: string) => page.inputValue(`.job [name=${name}]`);
    const values = () => Promise.all(["min_gpu_count", "gpu", "continent", "hours"].map(valueOf));
    expect(await values()).toEqual(["8", "h100", "Europe", "72"]);
    const rented = page.locator(".job label").first();
    expect(await rented.innerText()).not.toContain("or more");
    await page.fill(".job [name=min_gpu_count]", "4");
    await page.selectOption(".job [name=continent]", "");
    await page.fill(".job [name=hours]", "10");
    await page.waitForURL(/\?q=h100&min_gpu_count=4&hours=10$/);
    expect(await values()).toEqual(["4", "h100", "", "10"]);
    expect(await rented.innerText()).toContain("or more GPUs");
    expect(await count(page)).toBe(await totalOf("q=h100&min_gpu_count=4&verified=not-false"));
    await page.fill("#q", "h100 for 2 days");
    await page.waitForURL(/\?q=h100\+for\+2\+days&min_gpu_count=4$/);
    expect([await values(), await page.locator("#rows thead").innerText()]).toEqual([
      ["4", "h100", "", "48"],
      expect.stringContaining("48 h"),
    ]);
  });

  test("at 390 px no row cuts its provider or place, and unknown stock is said once", async () => {
    for (const query of ["", "?disk=500&hours=100"]) {
      const page = await open(`/${query}`, { viewport: { width: 390, height: 800 } });
      await ready(page);
      expect(await page.locator("#rows .row").count()).toBeGreaterThan(5);
      expect(await cut(page, "#rows .sub")).toEqual([]);
      expect(await page.locator(".count").innerText()).toContain("stock unknown");
      expect(await page.locator("#rows").innerText()).not.toContain("stock unknown");
    }
  });

  test("shows each offer with the disk that its launch texts have", async () => {
    const page = await open("/?q=8xa100+aws");
    await ready(page);
    const row = page.locator("#rows .row:has(.mark input)").first();
    const cells = await row.locator("td.num").allInnerTexts();
    await row.locator(".open").click();
    await page.getByText("The disk has 100 GB, the default.").waitFor();
    const [shown = ""] = (await page.locator(".pane .price").innerText()).match(/[\d.]+/) ?? [];
    expect(await page.locator(".pane .price").innerText()).toContain("with 100 GB");
    expect(cells.map(Number)).toContain(Number(shown));
    await page.getByText(`As launched, it costs $${shown}`).waitFor();
  });

  test("says how a price is beside the median of its GPU, where enough offers are known", async () => {
    const page = await open("/?gpu==h100-sxm");
    await ready(page);
    const { market } = (await (await fetch(`${web.service.url}/api/v2/gpus/h100-sxm`)).json()) as {
      market: { pricePerGpu: { median: number; min: number } };
    };
    const percent = Math.round((1 - market.pricePerGpu.min / market.pricePerGpu.median) * 100);
    await page
      .locator("#rows .row .good", { hasText: `${percent} % below` })
      .first()
      .waitFor();
    await page.fill(".job [name=gpu]", "gb200");
    await expect.poll(() => page.locator("#rows .row").count()).toBeLessThan(5);
    expect(
      await page
        .locator("#rows .row")
        .filter({ hasText: /below|above/ })
        .count(),
    ).toBe(0);
  });

  test("says what is wrong with an address, and lists the rest", async () => {
    const page = await open("/?foo=1&gpu=h1000&min_vram=abc&q=l4");
    await ready(page);
    const notices = (await page.locator(".notice").allInnerTexts()).join("\n");
    expect(notices).toMatch(/"foo"[^]*"abc"[^]*"h1000"/);
    expect(await page.inputValue(".job [name=gpu]")).toBe("h1000");
    expect(await count(page)).toBe(await totalOf("verified=not-false&q=l4"));
    await page.goto(`${web.service.url}/?min_gpu_count=4&max_gpu_count=2`);
    await ready(page);
    expect(await page.locator(".count .chip").allInnerTexts()).toEqual(expect.arrayContaining(["gpus ≤2 ×"]));
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
    await pane.getByRole("heading", { name: "Launch" }).waitFor();
    expect(await page.evaluate("document.activeElement?.className")).toBe("close");
    await page.reload();
    await pane.getByRole("heading", { name: "Images" }).waitFor();
    await page.keyboard.press("Escape");
    await pane.waitFor({ state: "detached" });
    await expect.poll(() => page.evaluate("document.activeElement?.className")).toBe("open");
    await page.goBack();
    await pane.waitFor();
  });

  test("launch texts state the default disk and the price limit, and a plan takes one of five offers", async () => {
    const page = await open("/?q=8xa100+aws");
    await ready(page);
    await openDetails(page);
    const pane = page.locator("section.pane");
    await pane.getByText("The disk has 100 GB, the default.").waitFor();
    await pane.getByText(/^The price limit is \$[\d.]+\/h/).waitFor();
    await pane.getByText("SkyPilot task").first().click();
    const plan = pane.getByRole("button", { name: "Plan of 5" });
    await plan.click();
    await pane.getByText(/^SkyPilot tries, in this order: \w+ \S+, /).waitFor();
    expect(await plan.getAttribute("aria-pressed")).toBe("true");
    expect(await pane.locator("pre").first().textContent()).toContain("ordered:");
    await plan.click();
    await pane.getByText(/^The price limit is/).waitFor();
  });

  test("details that were closed before they are loaded stay closed", async () => {
    const page = await open("/?q=h100");
    await ready(page);
    const { promise: isClosed, resolve: release } = Promise.withResolvers<void>();
    await page.route(/\/listings\/[^/]*$/, async (route) => {
      await isClosed;
      await route.continue();
    });
    const isAsked = page.waitForRequest(/\/listings\/[^/]*$/);
    const isRead = page.waitForResponse(/\/listings\/[^/]*$/);
    await page.locator("#rows .row:has(.mark input) .open").first().click();
    await isAsked;
    await page.keyboard.press("Escape");
    await page.locator("section.pane").waitFor({ state: "detached" });
    release();
    await isRead;
    await page.waitForTimeout(300);
    expect(await page.locator("section.pane").count()).toBe(0);
  });

  test("the comparison takes the place of details, and back returns to them", async () => {
    const page = await open("/?q=h100&hours=100");
    await ready(page);
    await page.locator("#rows .row .mark input").first().click();
    await openDetails(page);
    await page.locator(".count .chip.strong").click();
    await page.locator(".compare").waitFor();
    expect(await page.locator(".compare tbody tr").first().innerText()).toMatch(/^100 h\s+\$\d+/);
    await page.goBack();
    await page.getByRole("heading", { name: "Images" }).waitFor();
    expect(await page.locator("section.pane").innerText()).toMatch(/100 h\s+\$\d+/);
  });

  test("copies the command; without HTTPS it is selected for the copy key", async () => {
    for (const isSecure of [true, false]) {
      const page = await open("/?q=h100&disk=500", { permissions: ["clipboard-read", "clipboard-write"] });
      await ready(page);
      if (!isSecure) {
        await page.evaluate("void Object.defineProperty(navigator, 'clipboard', { value: undefined })");
      }
      await page.getByRole("button", { name: "Copy command" }).click();
      if (isSecure) {
        await page.getByRole("button", { name: "Copied" }).waitFor();
      } else {
        await page.getByLabel("Copy with Ctrl+C").waitFor();
        await page.keyboard.press("Control+c");
      }
      await page.focus("#q");
      await page.keyboard.press("Control+a");
      await page.keyboard.press("Control+v");
      expect([isSecure, await page.inputValue("#q")]).toEqual([isSecure, "gpu-offers --list --text h100 --disk 500"]);
    }
  });

  test("compares marked offers, under an address that works elsewhere", async () => {
    const page = await open("/");
    await ready(page);
    await compare(page);
    expect(await page.locator(".compare thead th").count()).toBe(3);
    const other = await open(new URL(page.url()).search.replace(/^/, "/"));
    await other.locator(".compare thead th").nth(2).waitFor();
    await other.goto(`${web.service.url}/?compare=nosuch`);
    await other.getByText('"nosuch" can\'t be shown').waitFor();
    expect([await other.locator(".compare").count(), new URL(other.url()).search]).toEqual([0, ""]);
  });

  test("GPUs show prices now and over time, and lead to their offers", async () => {
    const page = await open("/?view=gpus");
    await page.locator(".models tbody tr").first().waitFor();
    const row = page.locator(".models tbody tr").filter({ hasText: "H100 SXM" });
    const offers = await row.locator("td a").innerText();
    await row.locator("td a").click();
    await page.locator("#rows").waitFor();
    expect(await count(page)).toBe(offers);
  });
});

describe("around it", () => {
  test("few nodes, few requests", async () => {
    const page = await open("/web/none");
    const requests: string[] = [];
    page.on("request", (request) => requests.push(new URL(request.url()).pathname));
    await page.goto(web.service.url);
    await ready(page);
    expect(Number(await page.evaluate("document.querySelectorAll('*').length"))).toBeLessThanOrEqual(1_500);
    // The icon doesn't count: browsers ask for one anyway.
    const until = requests
      .slice(0, requests.indexOf("/web/listings.json") + 1)
      .filter((path) => !path.endsWith(".png"));
    expect(until.map((path) => /\.\w+$/.exec(path)?.[0] ?? path).sort()).toEqual([".css", ".js", ".json", "/"]);
  });

  test.for(VIEWS)("axe finds nothing in %s, light and dark", async ([, path, width, prepare]) => {
    const page = await open(path, { bypassCSP: true, viewport: { width, height: 800 } });
    await ready(page);
    await prepare?.(page);
    await expectAccessible(page);
  });
});
