import { isDeepStrictEqual } from "node:util";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Offer, OsImage } from "@gpu-offers/domain";
import type { PickResult } from "../src/output/result.ts";
import type { PickerEvent } from "../src/picker/event.ts";
import { composeChoice } from "../src/picker/choice.ts";
import { imagesOf } from "../src/picker/image-list.ts";
import { contextOf, type PickerState } from "../src/picker/state.ts";
import { imageNamed, offerAt, offersOf } from "./offers.ts";
import { IMAGES, NOW_MS, DrivenPicker } from "./driven-picker.ts";

// What is printed is what the confirmation showed when it was accepted, whenever responses arrive.

const AS_OF = "2026-11-20T00:00:00.000Z";
const catalog = offersOf(4);

/** The first offer has no disk to choose, so its confirmation follows the image step. */
const fixed = [offerAt(0, { storageCostPerGB: 0, storageMinGB: 200, storageMaxGB: 200 }), ...catalog.slice(1)];

/** A response to the command that waits at a place. */
interface LateResponse {
  place: number;
  images: readonly OsImage[];
  change: "none" | "gone" | "dearer" | "failed";
}

function eventsOf(driven: DrivenPicker, { place, images, change }: LateResponse): PickerEvent[] {
  const [command] = driven.waiting.splice(place % Math.max(1, driven.waiting.length), 1);
  const problem = { kind: "unreachable", message: "cannot reach http://x." } as const;
  switch (command?.kind) {
    case "readImages": {
      const { provider } = command;
      return [{ kind: "images", provider, images, nowMs: NOW_MS, ...(change === "failed" ? { problem } : {}) }];
    }
    case "check": {
      const { number, offer } = command;
      const now: Offer | undefined =
        change === "gone" ? undefined : change === "dearer" ? { ...offer, priceHourly: offer.priceHourly + 1 } : offer;
      return change === "failed"
        ? [{ kind: "checked", number, problem }]
        : [{ kind: "checked", number, offer: now, images, asOf: AS_OF }];
    }
    case undefined:
      return [];
  }
}

function keyEvents(keys: readonly string[]): PickerEvent[] {
  return keys.map((key) => ({ kind: "key", key }));
}

/** What the confirmation on the screen says; undefined if another part of the screen has the keys. */
function confirmed(state: PickerState): object | undefined {
  const { choice } = state;
  if (choice === undefined || contextOf(state) !== "confirm") {
    return undefined;
  }
  const composed = composeChoice(choice, imagesOf(state, choice.offer) ?? []);
  return composed.ok ? printed(composed.result) : undefined;
}

function printed({ deployment, offer, estimate }: PickResult): object {
  return { deployment, id: offer.id, hourly: estimate.hourly };
}

/** Sends an event. Returns what is printed, and what the confirmation showed when it was accepted. */
function watched(driven: DrivenPicker, event: PickerEvent, accepted: object | undefined) {
  const before = driven.state;
  const { length } = driven.exits;
  driven.send(event);
  const isBegun = driven.state.checkCount > before.checkCount;
  const result = driven.exits.slice(length).find((exit) => exit.result !== undefined)?.result;
  return {
    accepted: isBegun ? confirmed(before) : accepted,
    isUnseen: isBegun && confirmed(before) === undefined,
    result: result === undefined ? undefined : printed(result),
  };
}

const arbitraryResponse: fc.Arbitrary<LateResponse> = fc.record({
  place: fc.nat(3),
  images: fc.constantFrom(IMAGES, IMAGES.toReversed(), [imageNamed("only", true)], [...IMAGES, imageNamed("new")], []),
  change: fc.constantFrom("none", "none", "none", "gone", "dearer", "failed"),
});

const arbitrarySteps = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(["Enter"], ["Enter", "Enter", "Enter"]) },
    { weight: 2, arbitrary: fc.constantFrom(["Esc"], ["Esc", "Esc", "Esc", "j"], ["j"], ["k"], ["Up"], ["R"]) },
    { weight: 2, arbitrary: arbitraryResponse },
  ),
  { minLength: 20, maxLength: 80 },
);

describe("a choice whose responses are late", () => {
  test("is printed as the confirmation showed it", () => {
    let results = 0;
    fc.assert(
      fc.property(fc.constantFrom(catalog, fixed), arbitrarySteps, (offers, steps) => {
        const driven = new DrivenPicker(offers, { isHeld: true });
        let accepted: object | undefined;
        for (const taken of steps) {
          for (const event of "place" in taken ? eventsOf(driven, taken) : keyEvents(taken)) {
            const now = watched(driven, event, accepted);
            // An assertion of each step would take most of the time.
            if (now.isUnseen || !isDeepStrictEqual(now.result ?? now.accepted, now.accepted)) {
              throw new Error(`Printed is ${JSON.stringify(now)}`);
            }
            results += now.result === undefined ? 0 : 1;
            ({ accepted } = now);
          }
        }
      }),
      { seed: 20_261_120, numRuns: 700 },
    );
    // Enough of the runs come to a result for the rule to be tried.
    expect(results).toBeGreaterThan(20);
  });

  test("is not another one, whose check was left", () => {
    const driven = new DrivenPicker(catalog, { isHeld: true });
    const deliver = (): void => {
      for (const event of eventsOf(driven, { place: 0, images: IMAGES, change: "none" })) {
        driven.send(event);
      }
    };
    driven.press("Enter");
    deliver();
    driven.press("Enter", "Enter", "Enter", "Esc", "Esc", "Esc", "j", "Enter");
    const [left, images] = driven.waiting.splice(0);
    driven.waiting.push(...[images].filter((command) => command !== undefined));
    deliver();
    driven.press("Enter", "Enter", "Enter");
    expect(driven.state.choice?.check.kind).toBe("checking");
    driven.waiting.unshift(...[left].filter((command) => command !== undefined));
    deliver();
    expect(driven.exits).toEqual([]);
    deliver();
    expect(driven.exits[0]?.result?.offer.id).toBe(driven.state.choice?.offer.id);
  });

  test("is not accepted by keys that were pressed before its confirmation was shown", () => {
    const driven = new DrivenPicker(catalog, { isHeld: true }).press("Enter", "j", "Enter", "Enter", "Enter", "Enter");
    for (const event of eventsOf(driven, { place: 0, images: IMAGES, change: "none" })) {
      driven.send(event);
    }
    const { state, waiting } = driven;
    expect(state.choice).toMatchObject({ stage: "confirm", imageCursor: 1, check: { kind: "open" } });
    expect(waiting).toEqual([]);
  });

  test("returns to the images if its image disappears from the list", () => {
    const driven = new DrivenPicker(catalog).press("Enter", "j", "Enter", "Enter");
    expect(driven.state.choice?.stage).toBe("confirm");
    const provider = driven.state.choice?.offer.provider.name ?? "";
    driven.send({ kind: "images", provider, images: IMAGES.toReversed(), nowMs: NOW_MS });
    expect(driven.state.choice).toMatchObject({ stage: "confirm", imageCursor: 0 });
    const images = [imageNamed("ubuntu", true), imageNamed("new")];
    driven.send({ kind: "images", provider, images, nowMs: NOW_MS });
    expect(driven.state.choice).toMatchObject({ stage: "image", problem: "That image is gone. Choose another one." });
  });
});
