import { fileURLToPath } from "node:url";
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
import { fetchFrom, jsonOf, type HttpResponse } from "@gpu-offers/testkit/http";
import { DOORS_CATALOG } from "@gpu-offers/testkit/native-catalogs";
import { corpus, type CorpusSearch } from "@gpu-offers/testkit/search-corpus";
import { startService, type Service } from "@gpu-offers/testkit/service";
import { tempDatabase } from "@gpu-offers/testkit/temp-folder";
import { readAddress } from "@gpu-offers/web/address";
import { catalogOf, type Catalog } from "@gpu-offers/web/catalog";
import { beforeAll, describe, expect, test } from "vitest";
import { readCatalogFile, type CatalogFile } from "../src/catalog/catalog-file.ts";
import { DrivenPicker } from "./driven-picker.ts";
import { runInProcess } from "./in-process.ts";
import type { Ended } from "./program.ts";

// The doors of the one query of listings, over one catalog: GET /api/v2/listings, the flags of the command, the arguments of
// agents and the address of the page.

/** Parameters as texts. */
type Texts = Readonly<Partial<Record<ListingParameterName, string>>>;

/** The ids that a door lists, in order. */
type Door = (texts: Texts) => Promise<readonly string[]>;

/** What an agent gets. */
interface AgentResult {
  isError?: boolean;
  content: readonly { text: string }[];
  structuredContent: { offers: { id: string }[]; understood?: string[] };
}

const entriesOf = (texts: Texts) => Object.entries(texts) as [ListingParameterName, string][];

const searchOf = (texts: Texts): string => new URLSearchParams(texts).toString();

/** All doors to a catalog file, which a service has imported. */
class Doors {
  private constructor(
    readonly file: string,
    private readonly service: Service,
    private readonly page: Catalog,
    private readonly idsOfPage: readonly string[],
  ) {}

  static async open(file: string): Promise<Doors> {
    const databasePath = tempDatabase();
    await startAdmin(databasePath, ["catalog", "import", file]).ended;
    const service = await startService({ databasePath, settings: { MCP: "on", RATE_LIMIT: "off" } });
    const list = decodeCompactList(jsonOf(await fetchFrom(service, "/web/listings.json")));
    const page = catalogOf(list);
    page.named = new ListingCatalog(page.index, list.images);
    const ids: string[] = [];
    for (let hasMore = true, number = 0; hasMore; number++) {
      const response = jsonOf(await fetchFrom(service, `/api/v1/offers?size=100&page=${number}`)) as OfferPage;
      ids.push(...response.offers.map(({ id }) => id));
      ({ hasMore } = response);
    }
    return new Doors(file, service, page, ids);
  }

  /** The lists of all doors. */
  get lists(): Readonly<Record<"http" | "command" | "commandOnFile" | "agents" | "address", Door>> {
    const { http, address } = this;
    return {
      http,
      command: async (texts) => idsOf(await this.command(texts, ["--url", this.service.url])),
      // Without a service, the command applies the rules by itself.
      commandOnFile: async (texts) => idsOf(await this.command(texts)),
      agents: async (texts) => {
        const result = await this.askAgent(texts);
        if (result.isError === true) {
          throw new Error(`${JSON.stringify(texts)}: ${JSON.stringify(result)}`);
        }
        return result.structuredContent.offers.map(({ id }) => id);
      },
      address,
    };
  }

  readonly http: Door = async (texts) => {
    const { listings } = listingListSchema.parse(jsonOf(await this.fetch(texts)));
    return listings.map(({ offer }) => offer.id);
  };

  /** The response of the service. */
  fetch(texts: Texts): Promise<HttpResponse> {
    return fetchFrom(this.service, `/api/v2/listings?${searchOf(texts)}`);
  }

  /** Runs `--list`, by default on the file. */
  command(texts: Texts, source: readonly string[] = ["--catalog", this.file]): Promise<Ended> {
    const flags = entriesOf(texts).flatMap(([name, text]) => {
      const { flag, kind } = LISTING_PARAMETERS[name];
      return kind === "boolean" ? [`--${flag}`] : [`--${flag}`, text];
    });
    return runInProcess(["--list", "--format", "json", ...source, ...flags]);
  }

  async askAgent(texts: Texts): Promise<AgentResult> {
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
    const { text } = await fetchFrom(this.service, "/mcp", { method: "POST", headers, body });
    return (JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? text) as { result: AgentResult }).result;
  }

  readonly address: Door = (texts) => {
    const { given, problems } = readAddress(`?${searchOf(texts)}`);
    const result = evaluate(this.page, pageQuery(given));
    if (problems.length > 0 || result === undefined || result.problems.length > 0) {
      throw new Error(`?${searchOf(texts)} is invalid: ${JSON.stringify([problems, result?.problems])}`);
    }
    return Promise.resolve(Array.from(result.positions, (at) => this.idsOfPage[at] ?? ""));
  };
}

interface OfferPage {
  offers: { id: string }[];
  hasMore: boolean;
}

/** The ids that a list printed. */
function idsOf({ code, stdout, stderr }: Ended): string[] {
  if (code !== 0 && code !== 1) {
    throw new Error(`gpu-offers --list exited with ${code}: ${stderr}`);
  }
  return (JSON.parse(stdout === "" ? "[]" : stdout) as { id: string }[]).map(({ id }) => id);
}

// Each parameter of the table must be there on each door, change the result, and give the same list.

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

/** The list of each door without the parameter, by door and texts: most have the same. */
const unchangedLists = new Map<string, Promise<readonly string[]>>();

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
      const key = door + searchOf(without);
      const before = unchangedLists.get(key) ?? list(without);
      unchangedLists.set(key, before);
      if (String(found) === String(await before)) {
        unchanged.push(`${name}=${text} changes nothing on the door ${door}.`);
      }
    }
  }
  expect(unchanged).toEqual([]);
  expect(expected.length).toBeGreaterThan(0);
  expect(lists).toEqual(Object.fromEntries(Object.keys(lists).map((door) => [door, expected])));
});

// Searches of docs/search-words.txt on every door, with the starter catalog: one of each kind. The
// page's test compares all of them, over the picker's catalog and the page's.

const STARTER = fileURLToPath(new URL("../../api/catalog/starter.json", import.meta.url));

const SIZE = 25;
/** Chooses the sample. */
const SEED = 11;

// Slips are only taken in a field.
const searches = corpus.filter(({ isTyped }) => !isTyped);
const kinds = Map.groupBy(searches, ({ kind }) => kind);
const sample = [...kinds.values(), searches.filter(({ isUnknown }) => isUnknown)].flatMap(
  (alike) => alike[SEED % alike.length] ?? [],
);
const cases = [...new Set(sample)].map((search) => [search.text, search] as const);

let starterDoors: Doors;
let catalog: CatalogFile;

beforeAll(async () => {
  starterDoors = await Doors.open(STARTER);
  catalog = await readCatalogFile({ path: STARTER });
});

/** The parameters of a search. An order is that of all doors, unless the words say one. */
function textsOf({ text, wishes }: CorpusSearch): Texts {
  const isSorted = wishes.sortBy !== undefined;
  return { verified: "any", size: String(SIZE), q: text, ...(!isSorted && { sort_by: "pricePerGpu" }) };
}

/** Agents must say how long a budget is for. */
const isForAgents = ({ wishes }: CorpusSearch): boolean => wishes.budgetUsd === undefined || wishes.hours !== undefined;

/** The list of the picker's field. */
function pickerList({ size: _size, q = "", ...texts }: Texts): string[] {
  const knownImages = new Map(catalog.providers.map(({ name, images }) => [name, images]));
  const picker = new DrivenPicker(catalog.offers, { query: texts as object, knownImages });
  picker.press("/", ...q.split(""), "Enter");
  return picker.state.view.offers.map(({ id }) => id);
}

describe("searches of the corpus", () => {
  test("are sampled from every kind", () => {
    expect(new Set(sample.map(({ kind }) => kind)).size).toBe(kinds.size);
  });

  test.each(cases)(
    "%j: has one list and the same doubts on every door, errors where it is strict",
    async (_, search) => {
      const texts = textsOf(search);
      const { listings, totalElements, understood } = listingListSchema.parse(jsonOf(await starterDoors.fetch(texts)));
      const expected = listings.map(({ offer }) => offer.id);
      const { budgetUsd, diskGb, fits } = search.wishes;
      // The corpus doesn't say what fits a budget or a model, and which disks a source states.
      const meant = catalog.offers.filter((offer) => search.meant({ offer, ...offer.listing })).length;
      expect(totalElements).toBe((budgetUsd ?? diskGb ?? fits) === undefined ? meant : totalElements);
      const { size: _size, ...whole } = texts;
      const command = await starterDoors.command(texts);
      const agent = isForAgents(search) ? await starterDoors.askAgent(texts) : undefined;
      const found = {
        command: idsOf(command),
        commandOfService: await starterDoors.lists.command(texts),
        address: (await starterDoors.lists.address(whole)).slice(0, SIZE),
        picker: pickerList(texts).slice(0, SIZE),
        ...(agent !== undefined && { agents: agent.structuredContent.offers.map(({ id }) => id) }),
      };
      expect(found).toEqual(Object.fromEntries(Object.keys(found).map((door) => [door, expected])));

      const doubts = (understood ?? []).flatMap(({ doubt }) => doubt ?? []);
      const heard = agent?.structuredContent.understood?.join() ?? "";
      expect(doubts.filter((doubt) => !command.stderr.includes(doubt))).toEqual([]);
      expect(agent === undefined ? [] : doubts.filter((doubt) => !heard.includes(doubt))).toEqual([]);
      const isRejected = doubts.length > 0 || search.isUnknown;
      const strict: Texts = { ...texts, strict: "true" };
      const response = await starterDoors.fetch(strict);
      const strictly = await starterDoors.command(strict);
      const strictAgent = agent === undefined ? undefined : await starterDoors.askAgent(strict);
      expect([response.status, strictly.code, strictAgent?.isError === true]).toEqual(
        isRejected ? [400, 2, agent !== undefined] : [200, command.code, false],
      );
      const errors = [response.text, strictly.stderr, ...(strictAgent?.content.map(({ text }) => text) ?? [])];
      expect(errors.filter((text) => isRejected && !text.includes("is doubtful: "))).toEqual([]);
    },
  );

  test("among them are doubtful, unknown and clear ones", () => {
    const count = (is: (search: CorpusSearch) => boolean): number => sample.filter(is).length;
    expect(count(({ isDoubtful }) => isDoubtful)).toBeGreaterThan(2);
    expect(count(({ isUnknown }) => isUnknown)).toBeGreaterThan(0);
    expect(count(({ isDoubtful, isUnknown }) => !isDoubtful && !isUnknown)).toBeGreaterThan(15);
  });
});
