import { describe, expect, test } from "vitest";
import { balanceFor } from "../src/catalog/read-source.ts";
import { fileSource } from "../src/catalog/loaded-source.ts";
import { fundsIn } from "../src/picker/state.ts";
import { offersOf } from "./offers.ts";
import { DrivenPicker } from "./driven-picker.ts";

describe("the funds for a runway", () => {
  test.each([0.57, 1.1, 25, 0.00019])(
    "are the budget of $%d on the screen and in scripts, before any credit",
    async (usd) => {
      const query = { budget: usd, hours: 1 };
      const { state } = new DrivenPicker(offersOf(3), { query });
      const { state: without } = new DrivenPicker(offersOf(3));
      const ofScript = await balanceFor(fileSource({ path: "-", provider: undefined }), usd);
      expect(state.credit?.balance).toBeDefined();
      expect(fundsIn(state)).toEqual(ofScript);
      expect(Number(ofScript?.balance)).toBeCloseTo(Math.floor(Math.round(usd * 1e6) / 100) / 1e4, 10);
      expect(fundsIn(without)).toEqual(without.credit?.balance);
    },
  );
});
