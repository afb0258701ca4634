import {
  LISTING_PARAMETER_NAMES,
  LISTING_PARAMETERS,
  ListingCatalog,
  listingListSchema,
  readParameter,
  type ListingParameter,
  type ListingParameterName,
} from "@gpu-offers/domain";
import { BESIDE, exampleOf } from "@gpu-offers/domain/listing-examples.fixture";
import { decodeCompactList, evaluate, pageQuery } from "@gpu-offers/list";
import { startAdmin } from "@gpu-offers/testkit/admin";
import { DOORS_IMAGES, DOORS_ROWS } from "@gpu-offers/testkit/doors-catalog";
import { fetchFrom, jsonOf } from "@gpu-offers/testkit/http";
import { nativeFile } from "@gpu-offers/testkit/native-catalogs";
import { startService, type Service } from "@gpu-offers/testkit/service";
import { tempDatabase } from "@gpu-offers/testkit/temp-folder";
import { readAddress } from "@gpu-offers/web/address";
import { catalogOf, type Catalog } from "@gpu-offers/web/catalog";
import { beforeAll, expect, test } from "vitest";
import { runInProcess } from "./in-process.ts";

// The one query of listings on its four doors: GET /api/v2/listings, the flags of the command, the arguments of agents and the
// address of the page. Each parameter of the table must be there on each, change the result, and give the same list.

/** What each door's defaults are written as, so that all doors show the same. */
const BASE: Partial<Record<ListingParameterName, string>> = { verified: "any", sort_by: "pricePerGpu", size: "25" };

type Texts = Readonly<Partial<Record<ListingParameterName, string>>>;

let file: string;
let service: Service;
let page: Catalog;
let idsOfPage: readonly string[];

beforeAll(async () => {
  const databasePath = tempDatabase();
  file = nativeFile(DOORS_ROWS, DOORS_IMAGES);
  await startAdmin(databasePath, ["catalog", "import", file]).ended;
  service = await startService({ databasePath, settings: { MCP: "on", RATE_LIMIT: "off" } });
  const list = decodeCompactList(jsonOf(await fetchFrom(service, "/web/listings.json")));
  page = catalogOf(list);
  page.named = new ListingCatalog(page.index, list.images);
  const { offers } = jsonOf(await fetchFrom(service, "/api/v1/offers?size=100")) as { offers: { id: string }[] };
  idsOfPage = offers.map(({ id }) => id);
});

const entriesOf = (texts: Texts) => Object.entries(texts) as [ListingParameterName, string][];

const searchOf = (texts: Texts): string => new URLSearchParams(texts).toString();

/** The ids that a door lists, in order. */
type Door = (texts: Texts) => Promise<readonly string[]>;

const http: Door = async (texts) => {
  const { listings } = listingListSchema.parse(jsonOf(await fetchFrom(service, `/api/v2/listings?${searchOf(texts)}`)));
  return listings.map(({ offer }) => offer.id);
};

const commandFrom = async (source: readonly string[], texts: Texts): Promise<readonly string[]> => {
  const flags = entriesOf(texts).flatMap(([name, text]) => {
    const { flag, kind } = LISTING_PARAMETERS[name];
    return kind === "boolean" ? [`--${flag}`] : [`--${flag}`, text];
  });
  const { stdout, stderr } = await runInProcess(["--list", "--format", "json", ...source, ...flags]);
  try {
    return (JSON.parse(stdout) as { id: string }[]).map(({ id }) => id);
  } catch (cause) {
    throw new Error(`gpu-offers --list ${flags.join(" ")}: ${stderr}`, { cause });
  }
};

const command: Door = (texts) => commandFrom(["--url", service.url], texts);
/** Without a service, the command applies the rules by itself. */
const commandOnFile: Door = (texts) => commandFrom(["--catalog", file], texts);

const agents: Door = async (texts) => {
  const given = entriesOf(texts).map(([name, text]): [string, unknown] => {
    const read = readParameter(name, text);
    return [LISTING_PARAMETERS[name].argument, read.ok ? read.value : text];
  });
  // Agents must say for how long a budget lasts; other doors assume an hour, and say so.
  const hours = texts.budget === undefined ? {} : { hours: 1 };
  const body = JSON.stringify({
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: { name: "find_gpu_offers", arguments: { onlyAvailable: false, ...hours, ...Object.fromEntries(given) } },
  });
  const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };
  const { text } = await fetchFrom(service, "/mcp", { method: "POST", headers, body });
  const { result } = JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? text) as {
    result: { isError?: boolean; structuredContent: { offers: { id: string }[] } };
  };
  if (result.isError === true) {
    throw new Error(`${body}: ${text}`);
  }
  return result.structuredContent.offers.map(({ id }) => id);
};

const address: Door = async (texts) => {
  const { given, problems } = readAddress(`?${searchOf(texts)}`);
  expect(problems).toEqual([]);
  const result = evaluate(page, pageQuery(given));
  expect(result?.problems).toEqual([]);
  return Array.from(result?.positions ?? [], (at) => idsOfPage[at] ?? "");
};

const DOORS: Readonly<Record<string, Door>> = { http, command, commandOnFile, agents, address };

/** The only gaps: a screen and a command show all matches, so they have no pages, and the page has no size either. */
const WITHOUT: Partial<Record<ListingParameterName, readonly string[]>> = {
  page: ["command", "commandOnFile", "address"],
  size: ["address"],
};

test("every door has every parameter", () => {
  const lacking = LISTING_PARAMETER_NAMES.flatMap((name) => {
    const { flag, argument }: ListingParameter = LISTING_PARAMETERS[name];
    const doors = [...(flag === null ? ["command"] : []), ...(argument === null ? ["agents"] : [])];
    return doors.filter((door) => WITHOUT[name]?.includes(door) !== true).map((door) => `${door} lacks ${name}`);
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
    const { stdout } = await runInProcess(["complete", "--catalog", file, "--", flag, ""]);
    expect([name, stdout.trim() === ""]).toEqual([name, false]);
  }
});

/** It makes words an error that otherwise are only reported. */
const CHANGING = LISTING_PARAMETER_NAMES.filter((name) => name !== "strict");

test.for(CHANGING)("%s changes the list of every door, to the same one", async (name) => {
  const text = exampleOf(name);
  const without: Texts = { ...BASE, ...BESIDE[name] };
  const expected = await http({ ...without, [name]: text });
  const lists: Record<string, unknown> = {};
  const unchanged: string[] = [];
  for (const [door, list] of Object.entries(DOORS)) {
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
