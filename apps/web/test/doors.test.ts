import { existsSync } from "node:fs";
import { LISTING_FILTER_NAMES, LISTING_PARAMETERS, type ListingParameter } from "@gpu-offers/domain";
import { BESIDE, exampleOf } from "@gpu-offers/domain/listing-examples.fixture";
import { JOB_FILTERS } from "@gpu-offers/list";
import { startAdmin } from "@gpu-offers/testkit/admin";
import { fetchFrom, jsonOf } from "@gpu-offers/testkit/http";
import { DOORS_CATALOG } from "@gpu-offers/testkit/native-catalogs";
import { startService } from "@gpu-offers/testkit/service";
import { tempDatabase } from "@gpu-offers/testkit/temp-folder";
import { describe, expect, test } from "vitest";
import { CHROMIUM, ready, usePage } from "./chromium.ts";

// The page is a door of the one query: every filter of the table has its control, which changes the list to that of
// `GET /api/v2/listings`, is counted, goes into the address, and is cleared again. One visit for all of them.

/** Whether it is installed here. */
const HAS_CHROMIUM = existsSync(CHROMIUM);

/** Suffix for the names of tests that are skipped without it; says why. */
const IN_CHROMIUM = HAS_CHROMIUM ? "in Chromium" : `SKIPPED: ${CHROMIUM} is missing (Debian: apt-get install chromium)`;

/** What became of a filter on the page. */
interface Used {
  name: string;
  /** The list as a request, with the filter. */
  request: string;
  /** Number of offers shown with it, and as its control promised. */
  shown: string;
  promised: string;
  /** Whether a chip or a field shows it. */
  isNamed: boolean;
  /** Number of offers shown once it is cleared. */
  cleared: string;
}

/** Uses the controls of filters as people do, in the page, each alone. A control that isn't there says so. */
const USE_ALL = `async (filters) => {
  const drawn = () => new Promise((resolve) => setTimeout(resolve));
  const shown = () => document.querySelector(".count strong").innerText.replace(/\\D/g, "");
  const field = (name) => document.querySelector("[name=" + name + "]");
  const fill = async (name, text) => {
    field(name).value = text;
    field(name).dispatchEvent(new Event(field(name).tagName === "SELECT" ? "change" : "input", { bubbles: true }));
    await drawn();
  };
  const used = [];
  for (const { name, label, text, isGroup, isSwitch, isField, beside } of filters) {
    try {
      for (const [other, value] of beside) await fill(other, value);
      let promised;
      if (isField) {
        await fill(name, text);
      } else if (isGroup) {
        const group = [...document.querySelectorAll("fieldset")].find((one) => one.querySelector("legend").innerText === label);
        const value = [...group.querySelectorAll("label")].at(-1);
        promised = value.querySelector(".number").innerText;
        value.querySelector("input").click();
      } else if (isSwitch) {
        field(name).click();
      } else {
        await fill(name, text);
      }
      await drawn();
      const chip = document.querySelector("[data-filter='" + name + "']");
      const one = {
        name,
        request: document.querySelector(".doors a").getAttribute("href"),
        shown: shown(),
        promised: promised ?? shown(),
        isNamed: isField ? field(name).value === text.replaceAll("=", "") : chip !== null,
      };
      if (!isField) chip.click();
      for (const other of [...(isField ? [name] : []), ...beside.map(([other]) => other)]) await fill(other, "");
      await drawn();
      used.push({ ...one, cleared: shown() });
    } catch (error) {
      used.push({ name, request: String(error) });
    }
  }
  return used;
}`;

describe.skipIf(!HAS_CHROMIUM)(`the page ${IN_CHROMIUM}`, () => {
  const web = usePage(async () => {
    const databasePath = tempDatabase();
    await startAdmin(databasePath, ["catalog", "import", DOORS_CATALOG]).ended;
    return startService({ databasePath, settings: { RATE_LIMIT: "off" } });
  });
  const filters = LISTING_FILTER_NAMES.map((name) => {
    const { control, kind }: ListingParameter = LISTING_PARAMETERS[name];
    const isGroup = control?.valuesOf !== undefined || control?.imageValuesOf !== undefined;
    const isField = name === "q" || JOB_FILTERS.includes(name);
    const beside = Object.entries(BESIDE[name] ?? {});
    return {
      name,
      label: control?.label,
      text: exampleOf(name),
      isGroup,
      isSwitch: kind === "boolean",
      isField,
      beside,
    };
  });

  test("has a control for every filter that works and a chip that clears it", async () => {
    const page = await web.open("/");
    await ready(page);
    await page.locator(".open-filters").click();
    await page.locator(".facets summary").click();
    const all = (await page.locator(".count strong").innerText()).replaceAll(/\D/g, "");
    const used = await page.evaluate<Used[]>(`(${USE_ALL})(${JSON.stringify(filters)})`);
    const expected = await Promise.all(
      used.map(async ({ name, request }) => {
        const { searchParams } = new URL(request, web.service.url);
        const { totalElements } = jsonOf(await fetchFrom(web.service, `/api/v2/listings?${searchParams}&size=1`)) as {
          totalElements: number;
        };
        const shown = String(totalElements);
        expect([name, searchParams.has(name), shown !== all]).toEqual([name, true, true]);
        return { name, request, shown, promised: shown, isNamed: true, cleared: all };
      }),
    );
    expect(used).toEqual(expected);
    await page.waitForURL(`${web.service.url}/`);
  });

  test("reads every filter from its address, and keeps them there", async () => {
    const search = new URLSearchParams(filters.map(({ name, text }) => [name, text]));
    const page = await web.open(`/?${search}`);
    await page.locator(".count strong").waitFor();
    const chips = await page
      .locator(".count .chip[data-filter]")
      .evaluateAll((all) => all.map((chip) => chip.getAttribute("data-filter")));
    const named = filters.filter(({ isField }) => !isField).map(({ name }) => name);
    expect(new Set(chips)).toEqual(new Set(named));
    await page.locator("[data-filter=min_vcpu]").click();
    search.delete("min_vcpu");
    await expect.poll(() => [...new URL(page.url()).searchParams.keys()].sort()).toEqual([...search.keys()].sort());
  });
});
