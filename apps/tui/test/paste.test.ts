import * as fc from "fast-check";
import { anyText } from "@gpu-offers/domain/offer.fixture";
import { describe, expect, test } from "vitest";
import { BINDINGS } from "../src/picker/keys.ts";
import { offersOf } from "./offers.ts";
import { DrivenPicker } from "./driven-picker.ts";

const SEED = { seed: 20_261_122, numRuns: 500 };
const catalog = offersOf(30);
const keys = [...new Set(BINDINGS.flatMap((binding) => binding.keys))].filter((key) => !["q", "Ctrl-C"].includes(key));
const hostile = fc.constantFrom("\r", "\n", "q", "\u0003", "\u001b", "y\r", "500", "Enter", "\t", "1", "=", "h100");
const pastes = fc.oneof(
  anyText(),
  fc.array(hostile, { maxLength: 12 }).map((parts) => parts.join("")),
);

describe("pasted text", () => {
  test("never exits, never triggers a recheck, and never changes the step", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...keys), { maxLength: 12 }), pastes, (pressed, text) => {
        const driven = new DrivenPicker(catalog).press(...pressed);
        const before = {
          exits: driven.exits.length,
          stage: driven.state.choice?.stage,
          check: driven.state.choice?.check,
        };
        driven.send({ kind: "paste", text });
        expect(driven.exits).toHaveLength(before.exits);
        expect(driven.state.choice?.stage).toBe(before.stage);
        expect(driven.state.choice?.check).toEqual(before.check);
      }),
      SEED,
    );
  });

  test("becomes the filter in the list, with line breaks as spaces", () => {
    const { state } = new DrivenPicker(catalog).send({ kind: "paste", text: "a100\r\r\n\r8x\u001b[31m\tq" });
    expect(state.pane).toBe("text");
    expect(state.field.text).toBe("a100 8x[31m q");
    expect(state.query.q).toBe("a100 8x[31m q");
  });

  test("is added to an existing filter as new words", () => {
    const { state } = new DrivenPicker(catalog).press("/", "8", "x", "Enter").send({ kind: "paste", text: "a100\n" });
    expect(state.field).toEqual({ text: "8x a100", cursor: 7 });
  });

  test("is inserted at the cursor of the field, up to its maximum length", () => {
    const driven = new DrivenPicker(catalog).press("/", "a", "b", "Left").send({ kind: "paste", text: "x y" });
    expect(driven.state.field).toEqual({ text: "ax yb", cursor: 4 });
    expect(driven.send({ kind: "paste", text: "z".repeat(10_000) }).state.field.text).toHaveLength(200);
  });

  test("fills the disk field if it is a size, and is rejected with a message otherwise", () => {
    const disk = (text: string) =>
      new DrivenPicker(catalog).press("Enter", "Enter").send({ kind: "paste", text }).state.choice;
    expect(disk("750 GB\n")?.disk.text).toBe("750");
    expect(disk("1,000 GB")?.disk.text).toBe("1000");
    expect(disk("1234567890")).toMatchObject({
      disk: { text: "100" },
      problem: "Disk must be 50-2000 GB, not 1234567890.",
    });
    expect(disk("rm -rf\r")).toMatchObject({ stage: "disk", disk: { text: "100" }, problem: "Enter digits only." });
  });

  test("is ignored with a notice in a step without a field", () => {
    const { state } = new DrivenPicker(catalog).press("Enter").send({ kind: "paste", text: "\r\r\r" });
    expect(state.notice).toBe("Pasted text was ignored: there is no text field here.");
    expect(state.choice?.stage).toBe("image");
  });

  test("is a number or a search in the facets", () => {
    const facets = (text: string) => new DrivenPicker(catalog).press("f").send({ kind: "paste", text }).state;
    expect(facets("500\n").query.disk).toBe(500);
    expect(facets("1,000").query.disk).toBe(1000);
    const priced = new DrivenPicker(catalog)
      .press("f", ...Array.from({ length: 5 }, () => "Down"))
      .send({ kind: "paste", text: "0,5" });
    expect(priced.state.query.max_price).toBe(0.5);
    expect(facets("1TB").query.disk).toBe(1000);
    expect(facets("gamma\r").facetSearch).toBe("gamma");
  });

  test("a number in the facets is read as flags are: with its unit, and none is cut", () => {
    const typed = (text: string) => new DrivenPicker(catalog).press("f", ...Array.from(text)).state;
    expect(typed("1TB")).toMatchObject({ query: { disk: 1000 }, facetDraft: "1TB", facetSearch: "" });
    expect(typed("1,5tb").query.disk).toBe(1500);
    expect(typed("99999999999")).toMatchObject({
      query: { disk: undefined },
      facetDraft: "99999999999",
      notice: "It must be a size in GB, such as 80, 80GB or 1TB.",
    });
  });
});
