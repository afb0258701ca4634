import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { UNKNOWN_LISTING_FACTS, type ListedOffer } from "@gpu-offers/domain";
import { describe, expect, test } from "vitest";
import { DrivenPicker } from "./driven-picker.ts";
import { offerAt } from "./offers.ts";
import { HAS_TMUX, IN_TMUX, openShell } from "./picker-shell.ts";

/** Offers for 2, 3 and 4 USD per hour, of which the last two have spot prices of 1 and 0.5 USD. */
function offersWithSpot(): ListedOffer[] {
  const spotPrices = [undefined, 1, 0.5];
  return [2, 3, 4].map((own, index) => {
    const priceHourly = spotPrices[index];
    const spot = priceHourly === undefined ? null : { priceHourly, kind: "price" as const };
    const offer = offerAt(index, { priceHourly: own, gpuCount: 1 });
    return Object.assign(offer, { listing: { ...UNKNOWN_LISTING_FACTS, spot } });
  });
}

const shown = ({ state }: DrivenPicker): number[] => state.view.offers.map(({ priceHourly }) => priceHourly);

test("spot typed in the field shows spot prices in their order, and without it all have their own again", () => {
  const driven = new DrivenPicker(offersWithSpot());
  expect(shown(driven)).toEqual([2, 3, 4]);
  driven.press("/", ..."spot".split(""));
  expect(shown(driven)).toEqual([0.5, 1]);
  expect(shown(driven.press(..." <$0.8".split("")))).toEqual([0.5]);
  expect(shown(driven.press("Ctrl-U"))).toEqual([2, 3, 4]);
});

test("offers that are loaded again keep spot prices while the text asks for them", () => {
  const driven = new DrivenPicker(offersWithSpot()).press("/", ..."spot".split(""), "Enter", "R");
  expect(shown(driven)).toEqual([0.5, 1]);
});

describe.skipIf(!HAS_TMUX)(`an offer found by spot ${IN_TMUX}`, () => {
  test.each([
    ["on the screen", "", "/t4 spot\r", "\r\r", /= \$0\.087\/h/],
    ["by prompts", "--accessible", "/t4 spot\r", "1\r\r", /Total: \$0\.087/],
  ])("is confirmed and printed at its spot price %s", async (_, flag, filter, choose, confirmed) => {
    const { shell, folder, start, read } = openShell({});
    const head = "InstanceType,AcceleratorName,AcceleratorCount,vCPUs,MemoryGiB,GpuInfo,Price,SpotPrice,Region";
    const rows = ["dear,T4,1,4,28,,0.526,0.06,eastus", "other,T4,1,4,28,,0.5,,eastus"];
    writeFileSync(join(folder, "vms.csv"), [head, ...rows, ""].join("\n"));
    start(`${flag} --catalog vms.csv --provider azure`);
    await shell.sees(/0\.526/);
    shell.type(filter);
    await shell.sees(/ (?:·|spot:) spot prices/);
    shell.type(choose);
    await shell.sees(confirmed);
    shell.type("\r");
    await shell.sees(/ended 0/);
    expect(JSON.parse(read("out"))).toMatchObject({
      offer: { priceHourly: 0.06 },
      estimate: { hourly: "0.0870", spot: "price" },
    });
  });
});
