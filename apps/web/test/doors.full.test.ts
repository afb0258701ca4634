import {
  LISTING_FILTER_NAMES,
  LISTING_PARAMETER_DOCS,
  LISTING_PARAMETERS,
  type ListingParameter,
} from "@gpu-offers/domain";
import { BESIDE_WORDS } from "@gpu-offers/list";
import { admin } from "@gpu-offers/testkit/admin";
import { DOORS_IMAGES, DOORS_ROWS, DOORS_VALUES, DOORS_WITH } from "@gpu-offers/testkit/doors-catalog";
import { fetchFrom, jsonOf } from "@gpu-offers/testkit/http";
import { nativeFile } from "@gpu-offers/testkit/native-catalogs";
import { startService, type Service } from "@gpu-offers/testkit/service";
import { tempDatabase } from "@gpu-offers/testkit/temp-folder";
import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { count, ready, usePage } from "./chromium.ts";

// The page is a door of the one query: every filter of the table has its control, which changes the list to that of
// `GET /listings`, is counted, stays in the address, and is cleared again. One page for all of them.

const { open } = usePage();

let service: Service;
beforeAll(async () => {
  const databasePath = tempDatabase();
  await admin(databasePath, "catalog", "import", nativeFile(DOORS_ROWS, DOORS_IMAGES));
  service = await startService({ databasePath, settings: { RATE_LIMIT: "off" } });
});

/** Number of offers that the service lists for the page's address. */
async function served(search: URLSearchParams): Promise<string> {
  const query = new URLSearchParams({ verified: "not-false", size: "1", ...Object.fromEntries(search) });
  const { totalElements } = jsonOf(await fetchFrom(service, `/listings?${query}`)) as { totalElements: number };
  return String(totalElements);
}

const addressOf = (page: Page): URLSearchParams => new URL(page.url()).searchParams;

/** Uses the control of a filter as people do. @returns the count that it promises, if it does. */
async function use(page: Page, name: (typeof LISTING_FILTER_NAMES)[number]): Promise<string | undefined> {
  const { control, kind }: ListingParameter = LISTING_PARAMETERS[name];
  const text = DOORS_VALUES[name] ?? LISTING_PARAMETER_DOCS[name].examples[0];
  const field = page.locator(`[name=${name}]`);
  if (control?.valuesOf !== undefined || control?.imageValuesOf !== undefined) {
    const value = page.getByRole("group", { name: control.label, exact: true }).locator("label").last();
    const promised = await value.locator(".number").innerText();
    await value.locator("input").click();
    return promised;
  }
  await (kind === "boolean" ? field.check() : kind === "choice" ? field.selectOption(text) : field.fill(text));
  return undefined;
}

const WHOLE_MS = 120_000;

test(
  "every filter has a control that works, a chip that clears it, and its place in the address",
  { timeout: WHOLE_MS },
  async () => {
    const page = await open("/", { url: service.url });
    await ready(page);
    await page.locator(".facets summary").click();
    const all = await count(page);
    const lacking: string[] = [];
    for (const name of LISTING_FILTER_NAMES) {
      try {
        page.setDefaultTimeout(3_000);
        for (const [other, text] of Object.entries(DOORS_WITH[name] ?? {})) {
          await page.locator(`[name=${other}]`).fill(text);
        }
        const promised = await use(page, name);
        await expect.poll(() => addressOf(page).get(name), { timeout: 3_000 }).toBeTruthy();
        const shown = await served(addressOf(page));
        await expect.poll(() => count(page), { timeout: 3_000 }).toBe(shown);
        expect(await page.locator(".count").innerText()).toContain(`of ${DOORS_ROWS.length}`);
        // Other hosts than those of the default are more, not fewer
        expect([name, shown === all && name !== "verified", promised ?? shown]).toEqual([name, false, shown]);
        if (name !== "q" && !BESIDE_WORDS.includes(name)) {
          await page.getByRole("button", { name: `Remove ${name}`, exact: true }).click();
        }
        for (const field of ["q", ...BESIDE_WORDS, ...Object.keys(DOORS_WITH[name] ?? {})]) {
          await page.locator(`[name=${field}]`).fill("");
        }
        await expect.poll(() => page.url(), { timeout: 3_000 }).toBe(`${service.url}/`);
        expect(await count(page)).toBe(all);
      } catch (error) {
        lacking.push(`${name}: ${error instanceof Error ? error.message : String(error)}`);
        await page.goto(service.url);
        await ready(page);
        await page.locator(".facets summary").click();
      }
    }
    expect(lacking).toEqual([]);
  },
);
