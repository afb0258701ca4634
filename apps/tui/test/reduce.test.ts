import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { checkDisk, isDiskFixed, isDiskUnknown, type Offer } from "@gpu-offers/domain";
import { exampleImage } from "@gpu-offers/domain/offer.fixture";
import { BINDINGS } from "../src/picker/keys.ts";
import { currentOffer } from "../src/picker/offer-view.ts";
import { paneContent, textLayout } from "../src/picker/text-pane.ts";
import { reduce } from "../src/picker/reduce.ts";
import { shownFacets } from "../src/picker/facet-rows.ts";
import { listHeight } from "../src/picker/state.ts";
import { arbitraryCatalog, imageNamed, offerAt, offersOf } from "./offers.ts";
import { NOW_MS, DrivenPicker } from "./driven-picker.ts";

const SEED = { seed: 20_261_120, numRuns: 300 };
const catalog = offersOf(50);
/** From the first facet to the highest price per GPU. */
const TO_MAX_PRICE = Array.from({ length: 5 }, () => "Down");
const bound = [...new Set(BINDINGS.flatMap(({ keys }) => keys))].filter((key) => key !== "Ctrl-C" && key !== "q");
const arbitraryKeys = fc.array(fc.oneof(fc.constantFrom(...bound), fc.constantFrom("h", "1", "0", "é", "世", ".")), {
  maxLength: 60,
});

describe("any keys", () => {
  test("keep the cursor in range and on the screen", () => {
    fc.assert(
      fc.property(arbitraryCatalog(40), arbitraryKeys, (offers, keys) => {
        const { view, ...rest } = new DrivenPicker(offers).press(...keys).state;
        expect(view.cursor).toBeGreaterThanOrEqual(0);
        expect(view.cursor).toBeLessThanOrEqual(Math.max(0, view.rows.length - 1));
        expect(view.cursor).toBeGreaterThanOrEqual(view.top);
        expect(view.cursor).toBeLessThan(view.top + listHeight(rest));
      }),
      SEED,
    );
  });

  test("print only deployments that obey the storage rule", () => {
    let results = 0;
    fc.assert(
      fc.property(arbitraryCatalog(20), arbitraryKeys, (offers, keys) => {
        const { exits } = new DrivenPicker(offers).press(...keys, "Enter", "Enter", "Enter", "Enter");
        for (const { offer, deployment } of exits.flatMap(({ result }) => (result === undefined ? [] : [result]))) {
          results++;
          // A disk of unknown price may be left out.
          expect("disk_gb" in deployment || isDiskUnknown(offer)).toBe(!isDiskFixed(offer));
          expect(checkDisk(offer, deployment.disk_gb).ok).toBe(true);
          expect(offer.isAvailable).toBe(true);
        }
      }),
      SEED,
    );
    // Enough of the runs come to a result for the rule to be tried.
    expect(results).toBeGreaterThan(50);
  });

  test("never keep Ctrl-C and Ctrl-Z from working", () => {
    fc.assert(
      fc.property(arbitraryCatalog(10), arbitraryKeys, (offers, keys) => {
        const driven = new DrivenPicker(offers).press(...keys);
        const before = driven.exits.length;
        driven.press("Ctrl-C");
        expect(driven.exits.slice(before)).toEqual([{ kind: "exit" }]);
        expect(reduce(driven.state, { kind: "key", key: "Ctrl-Z" }).commands).toEqual([{ kind: "suspend" }]);
      }),
      SEED,
    );
  });
});

describe("a key without a character", () => {
  test("writes nothing into the filter field", () => {
    const driven = new DrivenPicker(catalog).press("/", "h", "Shift-Tab", "Ctrl-\\", "1");
    expect(driven.state.field.text).toBe("h1");
  });
});

describe("the cursor", () => {
  test("stays on its offer when a refresh brings other offers in another order", () => {
    fc.assert(
      fc.property(arbitraryCatalog(40), fc.nat(39), fc.nat(39), (offers, moves, dropped) => {
        const driven = new DrivenPicker(offers).press(...Array.from({ length: moves }, () => "j"));
        const id = currentOffer(driven.state.view)?.id;
        const now = offers.filter((offer, index) => index !== dropped || offer.id === id).toReversed();
        driven.send({ kind: "restart" });
        driven.send({ kind: "pages", offers: now, total: now.length });
        driven.send({ kind: "loaded", nowMs: NOW_MS });
        expect(currentOffer(driven.state.view)?.id).toBe(id);
      }),
      SEED,
    );
  });

  test("stays on its offer through sorting and a refresh", () => {
    fc.assert(
      fc.property(
        arbitraryCatalog(40),
        fc.integer({ min: 1, max: 39 }),
        fc.constantFrom("s", "S", "R"),
        (offers, moves, key) => {
          const driven = new DrivenPicker(offers).press(...Array.from({ length: moves }, () => "j"));
          const id = currentOffer(driven.state.view)?.id;
          driven.press(key);
          expect(currentOffer(driven.state.view)?.id).toBe(id);
        },
      ),
      SEED,
    );
  });

  test("stays on the first row through sorting", () => {
    const driven = new DrivenPicker(catalog);
    const before = driven.state.view.rows[0]?.offer.id;
    const { view } = driven.press("S").state;
    expect(view).toMatchObject({ cursor: 0, top: 0 });
    expect(view.rows[0]?.offer.id).not.toBe(before);
  });

  test("is back on its offer when Esc undoes Enter", () => {
    fc.assert(
      fc.property(arbitraryCatalog(40), fc.nat(39), (offers, moves) => {
        const driven = new DrivenPicker(offers).press(...Array.from({ length: moves }, () => "j"));
        const id = currentOffer(driven.state.view)?.id;
        driven.press("Enter", "Esc");
        expect(driven.state.choice?.stage ?? "offer").toBe("offer");
        expect(currentOffer(driven.state.view)?.id).toBe(id);
      }),
      SEED,
    );
  });
});

describe("the steps", () => {
  test("go from an offer through image and disk to one result", () => {
    const { exits } = new DrivenPicker(catalog).press("Enter", "j", "Enter", "Ctrl-U", "5", "0", "0", "Enter", "Enter");
    expect(exits[0]?.result?.deployment).toEqual({ provider: "gamma", os_image_id: "cuda", disk_gb: 500 });
    expect(exits[0]?.result?.estimate).toMatchObject({
      hourly: "1.5700",
      currency: "USD",
      checkedAt: "2026-11-20T00:00:00.000Z",
    });
  });

  test("skip steps without a choice, and omit the default image", () => {
    const fixed = [offerAt(0, { storageCostPerGB: 0, storageMinGB: 200, storageMaxGB: 200 })];
    const driven = new DrivenPicker(fixed, { images: [imageNamed("only", true)] }).press("Enter");
    expect(driven.state.choice?.stage).toBe("confirm");
    expect(driven.press("Enter").exits[0]?.result?.deployment).toEqual({ provider: "alpha" });
  });

  test("say in place what is wrong with a disk", () => {
    const driven = new DrivenPicker(catalog).press("Enter", "Enter", "Ctrl-U", "5", "Enter");
    expect(driven.state.choice).toMatchObject({ stage: "disk", problem: "Disk must be 50-2000 GB, not 5." });
  });

  test("keep their input when the user steps back", () => {
    const driven = new DrivenPicker(catalog).press("Enter", "j", "Enter", "Up", "Esc", "Esc", "Enter", "Enter");
    expect(driven.state.choice).toMatchObject({ stage: "disk", imageCursor: 1, disk: { text: "110" } });
  });

  test("propose the disk and the image of the filters as they are now, unless others were chosen", () => {
    const images = [imageNamed("ubuntu", true), exampleImage({ id: "cuda", hasCuda: true, cudaVersion: "12.8" })];
    const query = { disk: 500 };
    const choiceAfter = (...keys: string[]) => {
      const driven = new DrivenPicker(catalog, { query, images }).press("Enter", ...keys, "Esc", "Esc", "f");
      driven.press("Ctrl-U", "1", "0", "0", "0", "Enter", "c", "u", "d", "a", "Enter", "Esc", "Esc", "Enter");
      expect(driven.state.query).toMatchObject({ disk: 1000, cuda: "12" });
      return driven.state.choice;
    };
    expect(choiceAfter("Enter")).toMatchObject({ imageCursor: 1, disk: { text: "1000" } });
    expect(choiceAfter("j", "k", "Enter", "Up")).toMatchObject({ imageCursor: 0, disk: { text: "510" } });
  });

  test("say what the limits are if a disk has too many digits", () => {
    const driven = new DrivenPicker(catalog).press("Enter", "Enter", ...Array.from("1234567890"));
    expect(driven.state.choice).toMatchObject({
      disk: { text: "123456789" },
      problem: "Disk must be 50-2000 GB, not 1234567890.",
    });
  });

  test("show the three closest offers when the offer is gone", () => {
    const driven = new DrivenPicker(catalog, { checked: () => undefined }).press("Enter", "Enter", "Enter", "Enter");
    expect(driven.exits).toEqual([]);
    expect(driven.state.choice?.check).toMatchObject({ kind: "gone" });
    expect(driven.press("2").state.choice).toMatchObject({ stage: "image" });
  });

  test("require a second Enter when the price has changed", () => {
    const dearer = (offer: Offer): Offer => ({ ...offer, priceHourly: 9 });
    const driven = new DrivenPicker(catalog, { checked: dearer }).press("Enter", "Enter", "Enter", "Enter");
    expect(driven.state.choice?.check).toMatchObject({ kind: "repriced", before: { priceHourly: 1.5 } });
    expect(driven.press("Enter").exits[0]?.result?.offer.priceHourly).toBe(9);
  });
});

describe("an image that was requested", () => {
  test("is used without a step if the provider has it", () => {
    const driven = new DrivenPicker(catalog, { wantedImageId: "cuda" }).press("Enter");
    expect(driven.state.choice?.stage).toBe("disk");
    const [exit] = driven.press("Enter", "Enter").exits;
    expect(exit?.result?.deployment).toMatchObject({ os_image_id: "cuda" });
  });

  test("shows the step if the provider does not have it", () => {
    const driven = new DrivenPicker(catalog, { wantedImageId: "windows" }).press("Enter");
    expect(driven.state.choice?.stage).toBe("image");
    const [exit] = driven.press("j", "Enter", "Enter", "Enter").exits;
    expect(exit?.result?.deployment).toMatchObject({ os_image_id: "cuda" });
  });

  test("is no longer requested once all filters are cleared", () => {
    const driven = new DrivenPicker(catalog, { wantedImageId: "windows" }).press("Enter", "Esc", "x", "Enter");
    expect(driven.state.choice).toMatchObject({ stage: "image", wantedImageId: undefined });
  });

  test("leaves it open for one image too, unless it is that one", () => {
    const images = [imageNamed("only", true)];
    const other = new DrivenPicker(catalog, { images, wantedImageId: "windows" }).press("Enter");
    expect(other.state.choice?.stage).toBe("image");
    const same = new DrivenPicker(catalog, { images, wantedImageId: "only" }).press("Enter");
    expect(same.state.choice?.stage).toBe("disk");
  });
});

describe("a number that is proposed", () => {
  test("is replaced by the first digit, and edited by editing keys", () => {
    const disk = (...keys: string[]) => new DrivenPicker(catalog).press("Enter", "Enter", ...keys).state.choice?.disk;
    expect(disk("7", "5")?.text).toBe("75");
    expect(disk("Backspace", "7")?.text).toBe("107");
    expect(disk("Up", "5")?.text).toBe("1105");
    expect(disk("Left", "1")?.text).toBe("1010");
  });

  test("is replaced in the facets as well", () => {
    const query = { disk: 500 };
    const driven = new DrivenPicker(catalog, { query }).press("f", "7", "5");
    expect(driven.state.query.disk).toBe(75);
    const priced = new DrivenPicker(catalog, { query: { max_price: 3 } }).press("f", ...TO_MAX_PRICE, "2", ",", "5");
    expect(priced.state.query.max_price).toBe(2.5);
    const edited = new DrivenPicker(catalog, { query }).press("f", "Backspace", "1");
    expect(edited.state.query.disk).toBe(501);
  });
});

describe("facets", () => {
  test("keep a number that was typed at Enter, until it is erased", () => {
    const driven = new DrivenPicker(catalog).press("f", "5", "0", "0", "Enter");
    const diskOf = () => driven.state.query.disk;
    expect([diskOf(), driven.state.facetDraft]).toEqual([500, undefined]);
    driven.press("Enter");
    expect([diskOf(), driven.state.notice]).toEqual([500, "Type a number. Ctrl-U erases it."]);
    driven.press("2", "0", " ");
    expect(diskOf()).toBe(20);
    driven.press("Ctrl-U");
    expect(diskOf()).toBeUndefined();
  });

  test("count a zone for its region as well, because the filter by a region includes its zones", () => {
    const offers = ["r-1/a", "r-1/a", "r-1/b", "r-1"].map((region, index) => offerAt(index, { region }));
    const { state } = new DrivenPicker(offers);
    const regions = shownFacets(state).filter((row) => row.kind === "value" && row.name === "region");
    expect(regions).toMatchObject([
      { value: "r-1", count: 4 },
      { value: "r-1/a", count: 2 },
      { value: "r-1/b", count: 1 },
    ]);
  });

  test("are searched for letters that close other panes", () => {
    const searched = (...keys: string[]) => new DrivenPicker(catalog).press("f", ...keys).state;
    expect(searched("f", "q", "a")).toMatchObject({ pane: "facets", facetSearch: "fqa" });
    expect(searched("Esc").pane).toBe("none");
  });

  test("take a space as part of a search, and set with it otherwise", () => {
    const { query, facetSearch } = new DrivenPicker(catalog).press("f", ...Array.from("united s")).state;
    expect(facetSearch).toBe("united s");
    expect(query).toEqual({});
    expect(new DrivenPicker(catalog).press("f", "End", " ").state.query.deployment_type).toHaveLength(1);
  });

  test("have a cursor after a filter has left fewer of them", () => {
    const driven = new DrivenPicker(catalog).press(
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
    expect(driven.state.query.availability).toHaveLength(1);
  });
});

describe("panes that are longer than the screen", () => {
  test("scroll to their end and no further", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 40, max: 240 }),
        fc.integer({ min: 10, max: 60 }),
        fc.constantFrom("?", "d", "a"),
        fc.array(fc.constantFrom("j", "k", "G", "g", "PgDn", "PgUp", "Ctrl-D"), { maxLength: 20 }),
        (columns, rows, pane, keys) => {
          const { state } = new DrivenPicker(catalog, { columns, rows }).press(pane, ...keys);
          const { top, length, height } = textLayout(state);
          expect(top).toBeGreaterThanOrEqual(0);
          expect(top).toBeLessThanOrEqual(Math.max(0, length - height));
        },
      ),
      SEED,
    );
  });

  test("are where they were after help", () => {
    const { state } = new DrivenPicker(catalog, { columns: 40, rows: 10 }).press("d", "j", "j", "?", "G", "Esc");
    expect(state).toMatchObject({ pane: "details", paneTop: 2 });
  });

  test("show their last line in the smallest window", () => {
    const { state } = new DrivenPicker(catalog, { columns: 40, rows: 10 }).press("?", "G");
    const { top, length, height } = textLayout(state);
    expect(top + height).toBe(length);
    expect(paneContent(state).rows).toHaveLength(length);
  });
});

describe("an empty list", () => {
  test("drops the filter whose number is pressed", () => {
    const driven = new DrivenPicker(catalog).press("/", "z", "z", "Enter");
    expect(driven.state.view.offers).toHaveLength(0);
    expect(driven.press("1").state.view.offers).toHaveLength(50);
    expect(driven.state.field.text).toBe("");
  });

  test("counts what each filter alone excludes", () => {
    const { state } = new DrivenPicker(catalog, { query: { continent: ["Asia"] } });
    expect(state.found.exclusions).toEqual([{ name: "continent", count: 50 }]);
    expect(new DrivenPicker([], { query: { continent: ["Asia"], max_price: 0.1 } }).state.view.offers).toEqual([]);
  });
});

describe("Esc", () => {
  test("clears the filter, then only says how to quit", () => {
    const driven = new DrivenPicker(catalog).press("/", "8", "x", "Esc");
    expect(driven.state.query.q).toBe("8x");
    expect(driven.press("Esc").state.query.q).toBeUndefined();
    expect(driven.press("Esc").state.notice).toBe("q quits");
    expect(driven.exits).toEqual([]);
  });
});
