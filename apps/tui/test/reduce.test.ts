import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkDisk, isDiskFixed, type Offer } from "@gpu-offers/domain";
import { exampleImage } from "@gpu-offers/domain/offer.fixture";
import { BINDINGS } from "../src/picker/keys.ts";
import { currentOffer } from "../src/picker/offer-view.ts";
import { facetRows } from "../src/query/facets.ts";
import { EMPTY_QUERY, leaveOneOut } from "../src/query/query.ts";
import { readingLayout, readingRows } from "../src/picker/reading-pane.ts";
import { reduce } from "../src/picker/reduce.ts";
import { listHeight } from "../src/picker/state.ts";
import { arbitraryCatalog, imageNamed, offerAt, offersOf } from "./offers.ts";
import { NOW_MS, PlayedPicker } from "./played-picker.ts";

const SEED = { seed: 20_261_120, numRuns: 300 };
const catalog = offersOf(50);
const bound = [...new Set(BINDINGS.flatMap(({ keys }) => keys))].filter((key) => key !== "Ctrl-C" && key !== "q");
const arbitraryKeys = fc.array(fc.oneof(fc.constantFrom(...bound), fc.constantFrom("h", "1", "0", "é", "世", ".")), {
  maxLength: 60,
});

describe("any keys", () => {
  it("keep the cursor in range and on the screen", () => {
    fc.assert(
      fc.property(arbitraryCatalog(40), arbitraryKeys, (offers, keys) => {
        const { view, ...rest } = new PlayedPicker(offers).press(...keys).state;
        expect(view.cursor).toBeGreaterThanOrEqual(0);
        expect(view.cursor).toBeLessThanOrEqual(Math.max(0, view.rows.length - 1));
        expect(view.cursor).toBeGreaterThanOrEqual(view.top);
        expect(view.cursor).toBeLessThan(view.top + listHeight(rest));
      }),
      SEED,
    );
  });

  it("print only deployments that obey the storage rule", () => {
    let results = 0;
    fc.assert(
      fc.property(arbitraryCatalog(20), arbitraryKeys, (offers, keys) => {
        const { exits } = new PlayedPicker(offers).press(...keys, "Enter", "Enter", "Enter", "Enter");
        for (const { offer, deployment } of exits.flatMap(({ result }) => (result === undefined ? [] : [result]))) {
          results++;
          expect("disk_gb" in deployment).toBe(!isDiskFixed(offer));
          expect(checkDisk(offer, deployment.disk_gb).ok).toBe(true);
          expect(offer.isAvailable).toBe(true);
        }
      }),
      SEED,
    );
    // Enough of the runs come to a result for the rule to be tried.
    expect(results).toBeGreaterThan(50);
  });

  it("never keep Ctrl-C and Ctrl-Z from working", () => {
    fc.assert(
      fc.property(arbitraryCatalog(10), arbitraryKeys, (offers, keys) => {
        const played = new PlayedPicker(offers).press(...keys);
        const before = played.exits.length;
        played.press("Ctrl-C");
        expect(played.exits.slice(before)).toEqual([{ kind: "exit" }]);
        expect(reduce(played.state, { kind: "key", key: "Ctrl-Z" }).commands).toEqual([{ kind: "suspend" }]);
      }),
      SEED,
    );
  });
});

describe("a key without a character", () => {
  it("writes nothing into the filter field", () => {
    const played = new PlayedPicker(catalog).press("/", "h", "Tab", "Shift-Tab", "Ctrl-\\", "1");
    expect(played.state.field.text).toBe("h1");
  });
});

describe("the cursor", () => {
  it("stays on its offer when a refresh brings other offers in another order", () => {
    fc.assert(
      fc.property(arbitraryCatalog(40), fc.nat(39), fc.nat(39), (offers, moves, dropped) => {
        const played = new PlayedPicker(offers).press(...Array.from({ length: moves }, () => "j"));
        const id = currentOffer(played.state.view)?.id;
        const now = offers.filter((offer, index) => index !== dropped || offer.id === id).toReversed();
        played.send({ kind: "restart" });
        played.send({ kind: "pages", offers: now, total: now.length });
        played.send({ kind: "loaded", nowMs: NOW_MS });
        expect(currentOffer(played.state.view)?.id).toBe(id);
      }),
      SEED,
    );
  });

  it("stays on its offer through sorting and a refresh", () => {
    fc.assert(
      fc.property(
        arbitraryCatalog(40),
        fc.integer({ min: 1, max: 39 }),
        fc.constantFrom("s", "S", "R"),
        (offers, moves, key) => {
          const played = new PlayedPicker(offers).press(...Array.from({ length: moves }, () => "j"));
          const id = currentOffer(played.state.view)?.id;
          played.press(key);
          expect(currentOffer(played.state.view)?.id).toBe(id);
        },
      ),
      SEED,
    );
  });

  it("stays on the first row through sorting", () => {
    const played = new PlayedPicker(catalog);
    const before = played.state.view.rows[0]?.offer.id;
    const { view } = played.press("S").state;
    expect(view).toMatchObject({ cursor: 0, top: 0 });
    expect(view.rows[0]?.offer.id).not.toBe(before);
  });

  it("is back on its offer when Esc undoes Enter", () => {
    fc.assert(
      fc.property(arbitraryCatalog(40), fc.nat(39), (offers, moves) => {
        const played = new PlayedPicker(offers).press(...Array.from({ length: moves }, () => "j"));
        const id = currentOffer(played.state.view)?.id;
        played.press("Enter", "Esc");
        expect(played.state.choice?.stage ?? "offer").toBe("offer");
        expect(currentOffer(played.state.view)?.id).toBe(id);
      }),
      SEED,
    );
  });
});

describe("the steps", () => {
  it("lead from an offer over image and disk to one result", () => {
    const { exits } = new PlayedPicker(catalog).press("Enter", "j", "Enter", "Ctrl-U", "5", "0", "0", "Enter", "Enter");
    expect(exits[0]?.result?.deployment).toEqual({ provider: "gamma", os_image_id: "cuda", disk_gb: 500 });
    expect(exits[0]?.result?.estimate).toMatchObject({
      hourly: "1.5700",
      currency: "USD",
      asOf: "2026-11-20T00:00:00.000Z",
    });
  });

  it("pass over what has no choice, and name no image then", () => {
    const fixed = [offerAt(0, { storageCostPerGB: 0, storageMinGB: 200, storageMaxGB: 200 })];
    const played = new PlayedPicker(fixed, { images: [imageNamed("only", true)] }).press("Enter");
    expect(played.state.choice?.stage).toBe("confirm");
    expect(played.press("Enter").exits[0]?.result?.deployment).toEqual({ provider: "alpha" });
  });

  it("say in place what is wrong with a disk", () => {
    const played = new PlayedPicker(catalog).press("Enter", "Enter", "Ctrl-U", "5", "Enter");
    expect(played.state.choice).toMatchObject({ stage: "disk", problem: "Disk must be 50-2000 GB, not 5." });
  });

  it("keep the responses when one steps back", () => {
    const played = new PlayedPicker(catalog).press("Enter", "j", "Enter", "Up", "Esc", "Esc", "Enter", "Enter");
    expect(played.state.choice).toMatchObject({ stage: "disk", imageCursor: 1, disk: { text: "60" } });
  });

  it("propose the disk and the image of the filters as they are now, unless others were chosen", () => {
    const images = [imageNamed("ubuntu", true), exampleImage({ id: "cuda", hasCuda: true, cudaVersion: "12.8" })];
    const query = { ...EMPTY_QUERY, filter: { diskGb: 500 } };
    const choiceAfter = (...keys: string[]) => {
      const played = new PlayedPicker(catalog, { query, images }).press("Enter", ...keys, "Esc", "Esc", "f");
      played.press("Ctrl-U", "1", "0", "0", "0", "c", "u", "d", "a", "Enter", "Esc", "Esc", "Enter");
      expect(played.state.query.filter).toMatchObject({ diskGb: 1000, image: { wanted: { cuda: "12" } } });
      return played.state.choice;
    };
    expect(choiceAfter("Enter")).toMatchObject({ imageCursor: 1, disk: { text: "1000" } });
    expect(choiceAfter("j", "k", "Enter", "Up")).toMatchObject({ imageCursor: 0, disk: { text: "510" } });
  });

  it("say what the limits are if a disk has too many digits", () => {
    const played = new PlayedPicker(catalog).press("Enter", "Enter", ...Array.from("1234567890"));
    expect(played.state.choice).toMatchObject({
      disk: { text: "123456789" },
      problem: "Disk must be 50-2000 GB, not 1234567890.",
    });
  });

  it("show the three closest offers when the offer is gone", () => {
    const played = new PlayedPicker(catalog, { checked: () => undefined }).press("Enter", "Enter", "Enter", "Enter");
    expect(played.exits).toEqual([]);
    expect(played.state.choice?.check).toMatchObject({ kind: "gone" });
    expect(played.press("2").state.choice).toMatchObject({ stage: "image" });
  });

  it("ask again when the price is another one, and take the new one on the second Enter", () => {
    const dearer = (offer: Offer): Offer => ({ ...offer, priceHourly: 9 });
    const played = new PlayedPicker(catalog, { checked: dearer }).press("Enter", "Enter", "Enter", "Enter");
    expect(played.state.choice?.check).toMatchObject({ kind: "repriced", before: { priceHourly: 1.5 } });
    expect(played.press("Enter").exits[0]?.result?.offer.priceHourly).toBe(9);
  });
});

describe("an image that was requested", () => {
  it("is taken without a step where the provider has it", () => {
    const played = new PlayedPicker(catalog, { wantedImageId: "cuda" }).press("Enter");
    expect(played.state.choice?.stage).toBe("disk");
    const [exit] = played.press("Enter", "Enter").exits;
    expect(exit?.result?.deployment).toMatchObject({ os_image_id: "cuda" });
  });

  it("leaves the step open where the provider does not have it", () => {
    const played = new PlayedPicker(catalog, { wantedImageId: "windows" }).press("Enter");
    expect(played.state.choice?.stage).toBe("image");
    const [exit] = played.press("j", "Enter", "Enter", "Enter").exits;
    expect(exit?.result?.deployment).toMatchObject({ os_image_id: "cuda" });
  });

  it("is no longer requested once all filters are cleared", () => {
    const played = new PlayedPicker(catalog, { wantedImageId: "windows" }).press("Enter", "Esc", "x", "Enter");
    expect(played.state.choice).toMatchObject({ stage: "image", wantedImageId: undefined });
  });

  it("leaves it open for one image too, unless it is that one", () => {
    const images = [imageNamed("only", true)];
    const other = new PlayedPicker(catalog, { images, wantedImageId: "windows" }).press("Enter");
    expect(other.state.choice?.stage).toBe("image");
    const same = new PlayedPicker(catalog, { images, wantedImageId: "only" }).press("Enter");
    expect(same.state.choice?.stage).toBe("disk");
  });
});

describe("a number that is proposed", () => {
  it("gives way to the first digit, and is edited by what edits", () => {
    const disk = (...keys: string[]) => new PlayedPicker(catalog).press("Enter", "Enter", ...keys).state.choice?.disk;
    expect(disk("7", "5")?.text).toBe("75");
    expect(disk("Backspace", "7")?.text).toBe("57");
    expect(disk("Up", "5")?.text).toBe("605");
    expect(disk("Left", "1")?.text).toBe("510");
  });

  it("gives way in the facets as well", () => {
    const query = { ...EMPTY_QUERY, filter: { diskGb: 500 } };
    const played = new PlayedPicker(catalog, { query }).press("f", "7", "5");
    expect(played.state.query.filter.diskGb).toBe(75);
    expect(played.press("Enter", "Enter").state.query.filter.diskGb).toBeUndefined();
    const price = { ...EMPTY_QUERY, filter: { maxPricePerGpu: 3 } };
    const priced = new PlayedPicker(catalog, { query: price }).press("f", "Down", "Down", "2", ",", "5");
    expect(priced.state.query.filter.maxPricePerGpu).toBe(2.5);
    const edited = new PlayedPicker(catalog, { query }).press("f", "Backspace", "1");
    expect(edited.state.query.filter.diskGb).toBe(501);
  });
});

describe("facets", () => {
  it("count a zone for its region as well, because the filter by a region includes its zones", () => {
    const offers = ["r-1/a", "r-1/a", "r-1/b", "r-1"].map((region, index) => offerAt(index, { region }));
    const regions = facetRows(offers, {}, new Map()).filter((row) => row.kind === "value" && row.key === "region");
    expect(regions).toMatchObject([
      { value: "r-1", count: 4 },
      { value: "r-1/a", count: 2 },
      { value: "r-1/b", count: 1 },
    ]);
  });

  it("are searched for letters that close other panes", () => {
    const searched = (...keys: string[]) => new PlayedPicker(catalog).press("f", ...keys).state;
    expect(searched("f", "i", "n")).toMatchObject({ pane: "facets", facetSearch: "fin" });
    expect(searched("q").pane).toBe("none");
  });

  it("take a space as part of a search, and set with it otherwise", () => {
    const { query, facetSearch } = new PlayedPicker(catalog).press("f", ...Array.from("united s")).state;
    expect(facetSearch).toBe("united s");
    expect(query.filter).toEqual({});
    expect(new PlayedPicker(catalog).press("f", "End", " ").state.query.filter.region).toHaveLength(1);
  });

  it("have a cursor after a filter has left fewer of them", () => {
    const played = new PlayedPicker(catalog).press(
      "f",
      "End",
      "Esc",
      "/",
      ...Array.from("alpha"),
      "Enter",
      "f",
      "Up",
      "Enter",
    );
    expect(played.state.query.filter.region).toHaveLength(1);
  });
});

describe("panes that are longer than the screen", () => {
  it("scroll to their end and no further", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 40, max: 240 }),
        fc.integer({ min: 10, max: 60 }),
        fc.constantFrom("?", "d", "a"),
        fc.array(fc.constantFrom("j", "k", "G", "g", "PgDn", "PgUp", "Ctrl-D"), { maxLength: 20 }),
        (columns, rows, pane, keys) => {
          const { state } = new PlayedPicker(catalog, { columns, rows }).press(pane, ...keys);
          const { top, length, height } = readingLayout(state);
          expect(top).toBeGreaterThanOrEqual(0);
          expect(top).toBeLessThanOrEqual(Math.max(0, length - height));
        },
      ),
      SEED,
    );
  });

  it("are where they were after help", () => {
    const { state } = new PlayedPicker(catalog, { columns: 40, rows: 10 }).press("d", "j", "j", "?", "G", "Esc");
    expect(state).toMatchObject({ pane: "details", paneTop: 2 });
  });

  it("show their last line in the smallest window", () => {
    const { state } = new PlayedPicker(catalog, { columns: 40, rows: 10 }).press("?", "G");
    const { top, length, height } = readingLayout(state);
    expect(top + height).toBe(length);
    expect(readingRows(state)).toHaveLength(length);
  });
});

describe("what the server left out", () => {
  const query = { ...EMPTY_QUERY, filter: { continent: ["Asia"], maxPricePerGpu: 0.1 } };

  it("is requested when nothing matches, so that each filter can be counted", () => {
    const { state } = new PlayedPicker(catalog, { query: { ...query, filter: { continent: ["Asia"] } } });
    expect(leaveOneOut(state.held.offers, state.query.filter)).toEqual([{ key: "continent", count: 50 }]);
  });

  it("is requested when the facets open, so that they count what another value shows", () => {
    const asia = offerAt(99, {
      regionInfo: { countryCode: "JP", countryName: "Japan", cityState: "", continent: "Asia" },
    });
    const filtered = { ...EMPTY_QUERY, filter: { continent: ["Asia"] } };
    const played = new PlayedPicker([...catalog, asia], { query: filtered });
    expect(played.state.held.offers).toHaveLength(1);
    expect(played.press("f").state.held.offers).toHaveLength(51);
    expect(played.state.view.offers).toHaveLength(1);
  });

  it("is not requested again and again when there is none", () => {
    const { state } = new PlayedPicker([], { query });
    expect(state.held.load.kind).toBe("ready");
    expect(state.view.offers).toEqual([]);
  });
});

describe("an empty list", () => {
  it("drops the filter whose number is pressed", () => {
    const played = new PlayedPicker(catalog).press("/", "z", "z", "Enter");
    expect(played.state.view.offers).toHaveLength(0);
    expect(played.press("1").state.view.offers).toHaveLength(50);
    expect(played.state.field.text).toBe("");
  });
});

describe("Esc", () => {
  it("clears the filter, then only says how to quit", () => {
    const played = new PlayedPicker(catalog).press("/", "8", "x", "Esc");
    expect(played.state.query.filter.search?.text).toBe("8x");
    expect(played.press("Esc").state.query.filter.search?.text).toBeUndefined();
    expect(played.press("Esc").state.notice).toBe("q quits");
    expect(played.exits).toEqual([]);
  });
});
