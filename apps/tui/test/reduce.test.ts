import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isDiskFixed, type Offer } from "@gpu-offers/domain";
import type { Command, PickerEvent } from "../src/picker/event.ts";
import { BINDINGS } from "../src/picker/keys.ts";
import { KeyDecoder } from "../src/picker/key-decoder.ts";
import { currentOffer } from "../src/picker/offer-view.ts";
import { EMPTY_QUERY } from "../src/picker/query.ts";
import { reduce, start } from "../src/picker/reduce.ts";
import { initialState, listHeight, type PickerState } from "../src/picker/state.ts";
import { arbitraryCatalog, imageNamed, offerAt } from "./offers.ts";

const SEED = { seed: 20_261_120, numRuns: 300 };
const NOW = Date.UTC(2026, 10, 20);
const IMAGES = [imageNamed("ubuntu", true), imageNamed("cuda")];

/** A picker whose server answers every command at once. */
class Played {
  state: PickerState;
  exits: (Command & { kind: "exit" })[] = [];

  constructor(
    private readonly offers: readonly Offer[],
    private readonly images = IMAGES,
    private readonly checked: (offer: Offer) => Offer | undefined = (offer) => offer,
  ) {
    const { state, commands } = start(
      initialState({ columns: 80, rows: 24, nowMs: NOW, place: "test", query: EMPTY_QUERY, hasAccount: true }),
    );
    this.state = state;
    this.run(commands);
  }

  press(...keys: string[]): this {
    for (const key of keys) {
      this.send({ kind: "key", key });
    }
    return this;
  }

  send(event: PickerEvent): void {
    const { state, commands } = reduce(this.state, event);
    this.state = state;
    this.run(commands);
  }

  private run(commands: readonly Command[]): void {
    for (const command of commands) {
      this.answer(command);
    }
  }

  private answer(command: Command): void {
    switch (command.kind) {
      case "load":
        this.send({ kind: "restart" });
        this.send({ kind: "pages", offers: this.offers, total: this.offers.length });
        return this.send({ kind: "loaded", nowMs: NOW });
      case "readImages":
        return this.send({ kind: "images", provider: command.provider, images: this.images });
      case "readCredit":
        return this.send({ kind: "credit", balance: { balance: "25.0000", currency: "USD" } });
      case "check":
        return this.send({
          kind: "checked",
          offer: this.checked(command.offer),
          images: this.images,
          asOf: "2026-11-20T00:00:00.000Z",
        });
      case "exit":
        this.exits.push(command);
        return;
      case "copy":
      case "suspend":
    }
  }
}

const catalog = Array.from({ length: 50 }, (_, index) => offerAt(index));
const bound = [...new Set(BINDINGS.flatMap(({ keys }) => keys))].filter((key) => key !== "Ctrl-C" && key !== "q");
const arbitraryKeys = fc.array(fc.oneof(fc.constantFrom(...bound), fc.constantFrom("h", "1", "0", "é", "世", ".")), {
  maxLength: 60,
});

describe("any keys", () => {
  it("keep the cursor in range and on the screen", () => {
    fc.assert(
      fc.property(arbitraryCatalog(40), arbitraryKeys, (offers, keys) => {
        const { view, ...rest } = new Played(offers).press(...keys).state;
        expect(view.cursor).toBeGreaterThanOrEqual(0);
        expect(view.cursor).toBeLessThanOrEqual(Math.max(0, view.rows.length - 1));
        expect(view.cursor).toBeGreaterThanOrEqual(view.top);
        expect(view.cursor).toBeLessThan(view.top + listHeight(rest));
      }),
      SEED,
    );
  });

  it("print only deployments that obey the storage rule", () => {
    fc.assert(
      fc.property(arbitraryCatalog(20), arbitraryKeys, (offers, keys) => {
        const { exits } = new Played(offers).press(...keys, "Enter", "Enter", "Enter", "Enter");
        for (const { result } of exits) {
          if (result !== undefined) {
            const { offer, deployment } = result;
            expect("disk_gb" in deployment).toBe(!isDiskFixed(offer));
            expect(deployment.disk_gb ?? offer.storageMinGB).toBeGreaterThanOrEqual(offer.storageMinGB);
            expect(deployment.disk_gb ?? offer.storageMinGB).toBeLessThanOrEqual(offer.storageMaxGB);
            expect(offer.isAvailable).toBe(true);
          }
        }
      }),
      SEED,
    );
  });

  it("never keep Ctrl-C and Ctrl-Z from working", () => {
    fc.assert(
      fc.property(arbitraryCatalog(10), arbitraryKeys, (offers, keys) => {
        const played = new Played(offers).press(...keys);
        const before = played.exits.length;
        played.press("Ctrl-C");
        expect(played.exits.slice(before)).toEqual([{ kind: "exit" }]);
        expect(reduce(played.state, { kind: "key", key: "Ctrl-Z" }).commands).toEqual([{ kind: "suspend" }]);
      }),
      SEED,
    );
  });

  it("do the same in one burst as one by one", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom("j", "k", "G", "/", "h", "\r", "\u001b[B", "\u0015", "s"), { maxLength: 40 }), (texts) => {
        const bursts = new KeyDecoder().decode(texts.join(""));
        const single = new KeyDecoder();
        expect(texts.flatMap((text) => single.decode(text))).toEqual(bursts);
      }),
      SEED,
    );
  });
});

describe("the cursor", () => {
  it("stays on its offer through sorting and a refresh", () => {
    fc.assert(
      fc.property(arbitraryCatalog(40), fc.nat(39), fc.constantFrom("s", "S", "R"), (offers, moves, key) => {
        const played = new Played(offers).press(...Array.from({ length: moves }, () => "j"));
        const id = currentOffer(played.state.view)?.id;
        played.press(key);
        expect(currentOffer(played.state.view)?.id).toBe(id);
      }),
      SEED,
    );
  });

  it("is back on its offer when Esc undoes Enter", () => {
    fc.assert(
      fc.property(arbitraryCatalog(40), fc.nat(39), (offers, moves) => {
        const played = new Played(offers).press(...Array.from({ length: moves }, () => "j"));
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
    const { exits } = new Played(catalog).press("Enter", "j", "Enter", "Ctrl-U", "5", "0", "0", "Enter", "Enter");
    expect(exits[0]?.result?.deployment).toEqual({ provider: "gamma", os_image_id: "cuda", disk_gb: 500 });
    expect(exits[0]?.result?.estimate).toEqual({ hourly: "1.5700", currency: "USD", asOf: "2026-11-20T00:00:00.000Z" });
  });

  it("pass over what has no choice, and name no image then", () => {
    const fixed = [offerAt(0, { storageCostPerGB: 0, storageMinGB: 200, storageMaxGB: 200 })];
    const played = new Played(fixed, [imageNamed("only", true)]).press("Enter");
    expect(played.state.choice?.stage).toBe("confirm");
    expect(played.press("Enter").exits[0]?.result?.deployment).toEqual({ provider: "alpha" });
  });

  it("say in place what is wrong with a disk", () => {
    const played = new Played(catalog).press("Enter", "Enter", "Ctrl-U", "5", "Enter");
    expect(played.state.choice).toMatchObject({ stage: "disk", fault: "5 GB cannot be had: from 50 to 2000." });
  });

  it("keep the answers when one steps back", () => {
    const played = new Played(catalog).press("Enter", "j", "Enter", "Up", "Esc", "Esc", "Enter", "Enter");
    expect(played.state.choice).toMatchObject({ stage: "disk", imageCursor: 1, disk: { text: "60" } });
  });

  it("show the three closest offers when the offer is gone", () => {
    const played = new Played(catalog, IMAGES, () => undefined).press("Enter", "Enter", "Enter", "Enter");
    expect(played.exits).toEqual([]);
    expect(played.state.choice?.check).toMatchObject({ kind: "gone" });
    expect(played.press("2").state.choice).toMatchObject({ stage: "image" });
  });

  it("ask again when the price is another one, and take the new one on the second Enter", () => {
    const dearer = (offer: Offer): Offer => ({ ...offer, priceHourly: 9 });
    const played = new Played(catalog, IMAGES, dearer).press("Enter", "Enter", "Enter", "Enter");
    expect(played.state.choice?.check).toMatchObject({ kind: "repriced", before: { priceHourly: 1.5 } });
    expect(played.press("Enter").exits[0]?.result?.offer.priceHourly).toBe(9);
  });
});

describe("an empty list", () => {
  it("drops the filter whose number is pressed", () => {
    const played = new Played(catalog).press("/", "z", "z", "Enter");
    expect(played.state.view.rows).toHaveLength(0);
    expect(played.press("1").state.view.rows).toHaveLength(50);
    expect(played.state.field.text).toBe("");
  });
});

describe("Esc", () => {
  it("clears the filter, then only says how to quit", () => {
    const played = new Played(catalog).press("/", "8", "x", "Esc");
    expect(played.state.query.filter.text).toBe("8x");
    expect(played.press("Esc").state.query.filter.text).toBeUndefined();
    expect(played.press("Esc").state.notice).toBe("q quits");
    expect(played.exits).toEqual([]);
  });
});
