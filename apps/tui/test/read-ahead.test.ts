import { UNKNOWN_LISTING_FACTS } from "@gpu-offers/domain";
import { describe, expect, test } from "vitest";
import type { PickerEvent } from "../src/picker/event.ts";
import type { Problem } from "../src/catalog/offer-source-error.ts";
import { currentOffer } from "../src/picker/offer-view.ts";
import { imagesOf } from "../src/picker/image-list.ts";
import { READ_AHEAD } from "../src/picker/read-ahead.ts";
import { reduce } from "../src/picker/reduce.ts";
import type { PickerState } from "../src/picker/state.ts";
import { imageNamed, offerAt, offersOf } from "./offers.ts";
import { IMAGES, NOW_MS, DrivenPicker } from "./driven-picker.ts";

const catalog = offersOf(50);

describe("images", () => {
  const crowd = Array.from({ length: 50 }, (_, index) => {
    const name = `cloud-${index}`;
    return offerAt(index, { provider: { name, slug: name } });
  });
  const idle = (nowMs: number): PickerEvent => ({ kind: "idle", nowMs });
  const providersOf = (state: PickerState) =>
    state.commands.map((command) => (command.kind === "readImages" ? command.provider : command.kind));
  const response = (provider: string, problem?: Problem): PickerEvent => ({
    kind: "images",
    provider,
    images: problem === undefined ? IMAGES : [],
    problem,
    nowMs: NOW_MS,
  });

  test("of the providers on the screen are prefetched, four at a time and none twice", () => {
    let { state } = new DrivenPicker(crowd, { rows: 17 });
    const read: string[] = [];
    for (let round = 0; round < 10; round++) {
      const begun = reduce(state, idle(NOW_MS));
      const providers = providersOf(begun);
      expect(providers.length).toBeLessThanOrEqual(READ_AHEAD);
      expect(providersOf(reduce(begun, idle(NOW_MS)))).toEqual([]);
      read.push(...providers);
      state = providers.reduce((now, provider) => reduce(now, response(provider)), begun);
    }
    const visible = state.view.rows.slice(0, 10).map(({ offer }) => offer.provider.name);
    expect(read).toEqual(visible);
  });

  test("are read again after an hour, and a minute after a failure", () => {
    const [offer] = crowd.slice(0, 1);
    const { state } = new DrivenPicker(offer === undefined ? [] : [offer]);
    const known = reduce(reduce(state, idle(NOW_MS)), response("cloud-0"));
    expect(providersOf(reduce(known, idle(NOW_MS + 3_599_000)))).toEqual([]);
    expect(providersOf(reduce(known, idle(NOW_MS + 3_600_000)))).toEqual(["cloud-0"]);
    const problem: Problem = { kind: "server", message: "fails" };
    const failed = reduce(reduce(state, idle(NOW_MS)), response("cloud-0", problem));
    expect(providersOf(reduce(failed, idle(NOW_MS + 59_000)))).toEqual([]);
    expect(providersOf(reduce(failed, idle(NOW_MS + 60_000)))).toEqual(["cloud-0"]);
  });

  test("that were prefetched are shown at once, and not requested again", () => {
    const { state } = new DrivenPicker(catalog);
    const provider = currentOffer(state.view)?.provider.name ?? "";
    const read = reduce(reduce(state, idle(NOW_MS)), response(provider));
    const picked = reduce(read, { kind: "key", key: "Enter" });
    expect(imagesOf(picked, picked.choice?.offer ?? offerAt(0))).toEqual(IMAGES);
    expect(picked.commands).toEqual([]);
  });

  test("of the image step are those that the chosen instance type can boot", () => {
    const offer = { ...offerAt(0), listing: { ...UNKNOWN_LISTING_FACTS, instanceType: "a1.arm" } };
    const provider = offer.provider.name;
    const driven = new DrivenPicker([offer], { isHeld: true }).send(idle(NOW_MS));
    expect(driven.waiting).toEqual([
      { kind: "readImages", provider, instanceType: "a1.arm" },
      { kind: "readImages", provider },
    ]);
    // All images of the provider are for facets and words: the step waits for its own.
    driven.send(response(provider)).press("Enter");
    expect(driven.state.choice?.stage).toBe("image");
    expect(imagesOf(driven.state, offer)).toBeUndefined();
    const [other, fitting, another] = ["amd64", "arm64", "arm64-cuda"].map((name) => imageNamed(name));
    driven.send({ ...response(provider), instanceType: "a1.arm", images: [fitting, another] } as PickerEvent);
    expect(imagesOf(driven.state, offer)).toEqual([fitting, another]);
    expect(driven.press("j", "Enter", "Enter").state.choice).toMatchObject({ stage: "confirm", imageCursor: 1 });
    expect(driven.press("Enter").waiting.at(-1)).toMatchObject({ kind: "check" });
    const gone = { kind: "checked", number: 1, offer, images: [other, fitting], asOf: "2026-11-20T00:00:00Z" } as const;
    expect(driven.send(gone as PickerEvent).state.choice).toMatchObject({ stage: "image" });
    expect(imagesOf(driven.state, offer)).toEqual([other, fitting]);
  });

  test("still loading lose no keystrokes", () => {
    const press = (now: PickerState, ...keys: string[]) =>
      keys.reduce((before, key) => reduce(before, { kind: "key", key }), now);
    const { state } = new DrivenPicker(catalog);
    const hasty = press(state, "Enter", "j", "Enter", "7", "5", "Enter");
    expect(hasty.choice?.stage).toBe("image");
    const arrived = reduce(hasty, response(hasty.choice?.offer.provider.name ?? ""));
    expect(arrived.choice).toMatchObject({ stage: "confirm", imageCursor: 1, disk: { text: "75" } });
    const left = press(hasty, "Esc");
    expect(reduce(left, response(hasty.choice?.offer.provider.name ?? "")).choice?.stage).toBe("offer");
  });

  test("that cannot be read leave the provider's default one, but not one that was requested", () => {
    const problem: Problem = { kind: "server", message: "fails" };
    const stage = (wantedImageId?: string) => {
      const { state } = new DrivenPicker(catalog, wantedImageId === undefined ? {} : { wantedImageId });
      const choosing = reduce(state, { kind: "key", key: "Enter" });
      const failed = reduce(choosing, response(choosing.choice?.offer.provider.name ?? "", problem));
      return reduce(failed, { kind: "key", key: "Enter" }).choice?.stage;
    };
    expect(stage()).toBe("disk");
    expect(stage("cuda")).toBe("image");
  });
});
