import {
  LISTING_PARAMETER_NAMES,
  LISTING_PARAMETERS,
  type ListingParameter,
  type ListingParameterName,
} from "@gpu-offers/domain";
import { BESIDE, exampleOf } from "@gpu-offers/domain/listing-examples.fixture";
import { DOORS_CATALOG } from "@gpu-offers/testkit/native-catalogs";
import { beforeAll, expect, test } from "vitest";
import { Doors, type Texts } from "./doors.ts";
import { runInProcess } from "./in-process.ts";

// The one query of listings on its four doors: GET /api/v2/listings, the flags of the command, the arguments of agents and the
// address of the page. Each parameter of the table must be there on each, change the result, and give the same list.

/** What each door's defaults are written as, so that all doors show the same. */
const BASE: Partial<Record<ListingParameterName, string>> = { verified: "any", sort_by: "pricePerGpu", size: "25" };

let doors: Doors;

beforeAll(async () => {
  doors = await Doors.open(DOORS_CATALOG);
});

/** The only gaps: a screen and a command show all matches, so they have no pages, and the page has no size either. */
const WITHOUT: Partial<Record<ListingParameterName, readonly string[]>> = {
  page: ["command", "commandOnFile", "address"],
  size: ["address"],
};

test("every door has every parameter", () => {
  const lacking = LISTING_PARAMETER_NAMES.flatMap((name) => {
    const { flag, argument }: ListingParameter = LISTING_PARAMETERS[name];
    const without = [...(flag === null ? ["command"] : []), ...(argument === null ? ["agents"] : [])];
    return without.filter((door) => WITHOUT[name]?.includes(door) !== true).map((door) => `${door} lacks ${name}`);
  });
  expect(lacking).toEqual([]);
});

test("shells complete the names that the catalog has", async () => {
  const named = LISTING_PARAMETER_NAMES.filter((name) => {
    const { named: by, control }: ListingParameter = LISTING_PARAMETERS[name];
    return by === "providers" || by === "images" || by === "offers" || control?.valuesOf !== undefined;
  });
  expect(named).toContain("instance_type");
  for (const name of named) {
    const flag = `--${LISTING_PARAMETERS[name].flag}`;
    const { stdout } = await runInProcess(["complete", "--catalog", doors.file, "--", flag, ""]);
    expect([name, stdout.trim() === ""]).toEqual([name, false]);
  }
});

/** It makes words an error that otherwise are only reported. */
const CHANGING = LISTING_PARAMETER_NAMES.filter((name) => name !== "strict");

test.for(CHANGING)("%s changes the list of every door, to the same one", async (name) => {
  const text = exampleOf(name);
  const without: Texts = { ...BASE, ...BESIDE[name] };
  const expected = await doors.http({ ...without, [name]: text });
  const lists: Record<string, unknown> = {};
  const unchanged: string[] = [];
  for (const [door, list] of Object.entries(doors.lists)) {
    if (WITHOUT[name]?.includes(door) !== true) {
      const found = await list({ ...without, [name]: text });
      lists[door] = found;
      if (String(found) === String(await list(without))) {
        unchanged.push(`${name}=${text} changes nothing on the door ${door}.`);
      }
    }
  }
  expect(unchanged).toEqual([]);
  expect(expected.length).toBeGreaterThan(0);
  expect(lists).toEqual(Object.fromEntries(Object.keys(lists).map((door) => [door, expected])));
});
