import type { PriceHistory } from "@gpu-offers/domain";
import { priceHistoryFacts, priceLine } from "@gpu-offers/list";
import { describe, expect, test } from "vitest";
import type { PickerEvent } from "../src/picker/event.ts";
import { currentOffer } from "../src/picker/offer-view.ts";
import { detailRows } from "../src/picker/text-pane.ts";
import { reduce } from "../src/picker/reduce.ts";
import type { PickerState } from "../src/picker/state.ts";
import { offersOf } from "./offers.ts";
import { NOW_MS, DrivenPicker } from "./driven-picker.ts";

const DAY_MS = 86_400_000;
const daysAgo = (days: number): string => new Date(NOW_MS - days * DAY_MS).toISOString();

const historyOf = (offer: string, ...prices: (number | null)[]): PriceHistory => {
  const points = prices.map((priceHourly, index) => ({ at: daysAgo(prices.length - index), priceHourly }));
  return { offer, trackedSince: daysAgo(prices.length), isComplete: true, prices: points };
};

describe("the price history of an offer", () => {
  test("says when the price last changed, with a sparkline", () => {
    const since = daysAgo(4).slice(0, 10);
    expect(priceHistoryFacts(historyOf("a", 2, 4, 3, 2.5), NOW_MS)).toEqual([
      ["price changed", "24 h ago, was $3.00/h"],
      ["price history", `▁█▅▃ $2.00 to $4.00/h, tracked since ${since}`],
    ]);
  });

  test("says since when it has not changed", () => {
    expect(priceHistoryFacts(historyOf("a", 2), NOW_MS)).toEqual([
      ["price changed", `not since ${daysAgo(1).slice(0, 10)}`],
    ]);
    expect(priceHistoryFacts(historyOf("a", 2, null, 2), NOW_MS).map(([name]) => name)).toEqual(["price changed"]);
  });

  test("leaves a gap where the offer was gone, and has at most 20 prices", () => {
    expect(priceLine(historyOf("a", 1, null, 2).prices)).toBe("▁ █");
    expect(priceLine(historyOf("a", ...Array.from({ length: 50 }, (_, index) => index + 1)).prices)).toHaveLength(20);
  });
});

function currentId({ view }: PickerState): string {
  const offer = currentOffer(view);
  if (offer === undefined) {
    throw new Error("No offer is under the cursor.");
  }
  return offer.id;
}

describe("the details of the picker", () => {
  const idle: PickerEvent = { kind: "idle", nowMs: NOW_MS };
  const read = (commands: readonly { kind: string }[]) => commands.filter(({ kind }) => kind === "readHistory");

  test("ask for the history of the offer once they are open, once for each load, and show it", () => {
    const { state } = new DrivenPicker(offersOf(3), { columns: 80 });
    expect(read(reduce(state, idle).commands)).toEqual([]);
    const opened = { ...state, pane: "details" } as const;
    const begun = reduce(opened, idle);
    const id = currentId(opened);
    expect(read(begun.commands)).toEqual([{ kind: "readHistory", offerId: id }]);
    expect(read(reduce(begun, idle).commands)).toEqual([]);
    const known = reduce(begun, { kind: "history", offerId: id, history: historyOf(id, 2, 3) });
    const names = detailRows(known).map(([name]) => name?.text.trim());
    expect(names).toEqual(expect.arrayContaining(["price changed", "price history"]));
    const loaded = reduce(known, { kind: "loaded", nowMs: NOW_MS });
    expect(loaded.histories.size).toBe(0);
  });

  test("omit it if the source has none", () => {
    const { state } = new DrivenPicker(offersOf(3), { columns: 80 });
    const opened = { ...state, pane: "details" } as const;
    const before = detailRows(opened);
    const id = currentId(opened);
    const after = reduce(opened, { kind: "history", offerId: id, history: undefined });
    expect(detailRows(after)).toEqual(before);
  });
});
