import { fileURLToPath } from "node:url";
import { listingListSchema } from "@gpu-offers/domain";
import { jsonOf } from "@gpu-offers/testkit/http";
import { corpus, type CorpusSearch } from "@gpu-offers/testkit/search-corpus";
import { beforeAll, describe, expect, test } from "vitest";
import { readCatalogFile, type CatalogFile } from "../src/catalog/catalog-file.ts";
import { Doors, idsOf, type Texts } from "./doors.ts";
import { DrivenPicker } from "./driven-picker.ts";

// Searches of docs/search-words.txt on every door, with the starter catalog: a sample of each kind.

const STARTER = fileURLToPath(new URL("../../api/catalog/starter.json", import.meta.url));

const SIZE = 25;
const PER_KIND = 2;
/** Chooses the sample. */
const SEED = 11;

// Slips are only taken in a field.
const searches = corpus.filter(({ isTyped }) => !isTyped);
const kinds = Map.groupBy(searches, ({ kind }) => kind);
const sample = [...kinds.values(), searches.filter(({ isUnknown }) => isUnknown)].flatMap((alike) =>
  Array.from({ length: PER_KIND }, (_, n) => alike[(SEED + n * 7) % alike.length]).flatMap((one) => one ?? []),
);
const cases = [...new Set(sample)].map((search) => [search.text, search] as const);

let doors: Doors;
let catalog: CatalogFile;

beforeAll(async () => {
  doors = await Doors.open(STARTER);
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
      const { listings, totalElements, understood } = listingListSchema.parse(jsonOf(await doors.fetch(texts)));
      const expected = listings.map(({ offer }) => offer.id);
      const { budgetUsd, diskGb, fits } = search.wishes;
      // The corpus doesn't say what fits a budget or a model, and which disks a source states.
      const meant = catalog.offers.filter((offer) => search.meant({ offer, ...offer.listing })).length;
      expect(totalElements).toBe((budgetUsd ?? diskGb ?? fits) === undefined ? meant : totalElements);
      const { size: _size, ...whole } = texts;
      const command = await doors.command(texts);
      const agent = isForAgents(search) ? await doors.askAgent(texts) : undefined;
      const found = {
        command: idsOf(command),
        commandOfService: await doors.lists.command(texts),
        address: (await doors.lists.address(whole)).slice(0, SIZE),
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
      const response = await doors.fetch(strict);
      const strictly = await doors.command(strict);
      const strictAgent = agent === undefined ? undefined : await doors.askAgent(strict);
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
