import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { BINDINGS } from "../src/picker/keys.ts";
import { arbitraryCatalog, offerAt, offersOf, WIDE_GPU } from "./offers.ts";
import { DrivenPicker } from "./driven-picker.ts";
import { VirtualScreen } from "./virtual-screen.tsx";

describe("what is written", () => {
  test("makes the same screen as drawing it anew, whatever is pressed", async () => {
    const keys = [...new Set(BINDINGS.flatMap((binding) => binding.keys))].filter(
      (key) => !["q", "Ctrl-C"].includes(key),
    );
    await fc.assert(
      fc.asyncProperty(
        arbitraryCatalog(30),
        fc.array(fc.constantFrom(...keys, "h", "世"), { maxLength: 15 }),
        async (offers, pressed) => {
          const all = [...offers, offerAt(99, { gpu: WIDE_GPU })];
          const driven = new DrivenPicker(all, { columns: 90, rows: 16 });
          const patched = new VirtualScreen(90, 16);
          await patched.show(driven.state);
          for (const key of pressed) {
            await patched.show(driven.press(key).state);
          }
          const fresh = new VirtualScreen(90, 16);
          await fresh.show(driven.state);
          expect(patched.cells()).toEqual(fresh.cells());
          patched.close();
          fresh.close();
        },
      ),
      { seed: 20_261_120, numRuns: 15 },
    );
  });

  test("is at most 280 bytes for a cursor key", async () => {
    const driven = new DrivenPicker(offersOf(100));
    const screen = new VirtualScreen(80, 24);
    await screen.show(driven.state);
    for (let count = 0; count < 10; count++) {
      const before = screen.bytes;
      await screen.show(driven.press("j").state);
      expect(screen.bytes - before).toBeLessThanOrEqual(280);
    }
    screen.close();
  });
});
