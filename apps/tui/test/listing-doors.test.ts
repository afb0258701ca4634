import {
  LISTING_PARAMETER_NAMES,
  LISTING_PARAMETER_DOCS,
  LISTING_PARAMETERS,
  listingListSchema,
  readParameter,
  type ListingParameter,
  type ListingParameterName,
} from "@gpu-offers/domain";
import { decodeCompactList, evaluate } from "@gpu-offers/list";
import { startAdmin } from "@gpu-offers/testkit/admin";
import { fetchFrom, jsonOf } from "@gpu-offers/testkit/http";
import { nativeFile, nativeImage, nativeRow, type NativeRow } from "@gpu-offers/testkit/native-catalogs";
import { startService, type Service } from "@gpu-offers/testkit/service";
import { tempDatabase } from "@gpu-offers/testkit/temp-folder";
import { queryOf, readAddress } from "@gpu-offers/web/address";
import { catalogOf, type Catalog } from "@gpu-offers/web/catalog";
import { namedCatalogOf } from "@gpu-offers/web/named-catalog";
import { beforeAll, expect, test } from "vitest";
import { runInProcess } from "./in-process.ts";

// The one query of listings on its four doors: GET /listings, the flags of the command, the arguments of agents and the
// address of the page. Each parameter of the table must be there on each, change the result, and give the same list.

/** A machine that no other row is like. */
const row = (at: number, changes: Partial<NativeRow> & Record<string, unknown>): NativeRow =>
  nativeRow({
    provider: "aws",
    instanceType: `type-${at}`,
    region: "us-east-1",
    countryCode: "US",
    priceHourly: 3 + at / 10,
    ...changes,
  });

const host = { seller: "host", instanceType: "4090x1" };
const ROWS: readonly NativeRow[] = [
  row(0, {
    gpuCount: 8,
    priceHourly: 31,
    specs: { vcpu: 192, ram: 2048, disk: 0 },
    interconnect: "InfiniBand 3200 Gbps",
    listing: { instanceType: "p5.48xlarge", seller: "cloud", spot: { priceHourly: 12, kind: "price" } },
  }),
  row(1, { listing: { instanceType: "p5.4xlarge", seller: "cloud", spot: { priceHourly: 1.7, kind: "price" } } }),
  row(2, {
    provider: "lambda",
    region: "eu-central-1",
    countryCode: "DE",
    gpuCount: 8,
    priceHourly: 24,
    listing: { instanceType: "gpu_8x_h100_sxm5", seller: "cloud" },
  }),
  row(3, { provider: "lambda", gpu: "h200", isAvailable: false, listing: { instanceType: "h200x1", seller: "cloud" } }),
  row(4, { provider: "verda", gpu: "l40s", region: "FIN-01", countryCode: "FI", priceHourly: 0.9, gpuCount: 2 }),
  row(5, {
    provider: "vast",
    gpu: "rtx-4090",
    region: "Oslo",
    countryCode: "NO",
    priceHourly: 0.35,
    listing: { ...host, verified: true },
  }),
  row(6, {
    provider: "vast",
    gpu: "rtx-4090",
    priceHourly: 0.25,
    listing: { ...host, verified: false, spot: { priceHourly: 0.1, kind: "bid" } },
  }),
  row(7, {
    provider: "vast",
    gpu: "rtx-3090",
    region: "Tokyo",
    countryCode: "JP",
    priceHourly: 0.2,
    listing: { ...host, seller: "partner" },
  }),
  row(8, {
    provider: "verda",
    gpu: "a100-pcie-80gb",
    deploymentType: "bare-metal",
    region: "FIN-01",
    countryCode: "FI",
    priceHourly: 1.4,
  }),
  row(9, {
    provider: "verda",
    gpu: "mi300x",
    region: "FIN-01",
    countryCode: "FI",
    priceHourly: 2,
    storage: { costPerGB: 0, minGB: 100, maxGB: 100 },
  }),
];
const IMAGES = [
  nativeImage("plain", { displayName: "Debian 12", isDefault: true }),
  nativeImage("ubuntu-22.04", {
    displayName: "Ubuntu 22.04",
    hasCuda: true,
    cudaVersion: "12.4",
    instanceTypes: ["p5.48xlarge", "p5.4xlarge", "h200x1"],
  }),
];

/** Values that change this catalog's list, where the first documented example doesn't. */
const VALUES: Partial<Record<ListingParameterName, string>> = {
  continent: "EU",
  max_gpu_count: "4",
  sort_by: "vramPrice",
  sort_order: "desc",
  page: "1",
  size: "5",
  budget: "2",
  max_price: "$2",
};

/** What a parameter needs beside it to have an effect, on every door. */
const WITH: Partial<Record<ListingParameterName, Partial<Record<ListingParameterName, string>>>> = {
  hours: { budget: "20" },
  max_total: { disk: "500" },
  page: { size: "5" },
};

/** What each door's defaults are written as, so that all doors show the same. */
const BASE: Partial<Record<ListingParameterName, string>> = { verified: "any", sort_by: "pricePerGpu", size: "25" };

type Texts = Readonly<Partial<Record<ListingParameterName, string>>>;

let file: string;
let service: Service;
let page: Catalog;
let idsOfPage: readonly string[];

beforeAll(async () => {
  const databasePath = tempDatabase();
  file = nativeFile(ROWS, IMAGES);
  await startAdmin(databasePath, ["catalog", "import", file]).ended;
  service = await startService({ databasePath, settings: { MCP: "on", RATE_LIMIT: "off" } });
  const list = decodeCompactList(jsonOf(await fetchFrom(service, "/web/listings.json")));
  page = catalogOf(list);
  page.named = await namedCatalogOf(page.index, list.images, () => Promise.resolve());
  const { offers } = jsonOf(await fetchFrom(service, "/api/v1/offers?size=100")) as { offers: { id: string }[] };
  idsOfPage = offers.map(({ id }) => id);
});

const entriesOf = (texts: Texts) => Object.entries(texts) as [ListingParameterName, string][];

const searchOf = (texts: Texts): string => new URLSearchParams(texts).toString();

/** The ids that a door lists, in order. */
type Door = (texts: Texts) => Promise<readonly string[]>;

const http: Door = async (texts) => {
  const { listings } = listingListSchema.parse(jsonOf(await fetchFrom(service, `/listings?${searchOf(texts)}`)));
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
  const body = JSON.stringify({
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: { name: "find_gpu_offers", arguments: { onlyAvailable: false, ...Object.fromEntries(given) } },
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
  const result = evaluate(page, queryOf(given));
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

test.for(LISTING_PARAMETER_NAMES)("%s changes the list of every door, to the same one", async (name) => {
  const text = VALUES[name] ?? LISTING_PARAMETER_DOCS[name].examples[0];
  const without: Texts = { ...BASE, ...WITH[name] };
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
