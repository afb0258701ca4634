import { describe, expect, test } from "vitest";
import type { OsImage } from "@gpu-offers/domain";
import { exampleImage } from "@gpu-offers/domain/offer.fixture";
import { knownImages } from "../src/picker/image-list.ts";
import { reduce } from "../src/picker/reduce.ts";
import { shownFacets } from "../src/picker/facet-rows.ts";
import type { PickerState } from "../src/picker/state.ts";
import { offersOf } from "./offers.ts";
import { NOW_MS, DrivenPicker } from "./driven-picker.ts";

// The facets of OS images: providers alpha, beta and gamma have ten offers each.

const image = (displayName: string, cudaVersion: string | null = null): OsImage =>
  exampleImage({ id: displayName, slug: displayName, displayName, hasCuda: cudaVersion !== null, cudaVersion });

const IMAGES: Readonly<Record<string, readonly OsImage[]>> = {
  alpha: [image("Debian 12"), image("Ubuntu Server 22.04", "12.4"), image("Ubuntu 24.04", "13.0")],
  beta: [image("Ubuntu 22.04"), image("Rocky Linux 9", "12.8")],
  gamma: [image("Base image")],
};

/** A picker that looks at the facets, with the images of some providers. */
function picker(...providers: string[]): DrivenPicker {
  const driven = new DrivenPicker(offersOf(30), { columns: 140, rows: 60 }).press("f");
  providers.forEach((provider) => arrive(driven, provider));
  return driven;
}

function arrive(driven: DrivenPicker, provider: string): void {
  driven.send({ kind: "images", provider, images: IMAGES[provider] ?? [], nowMs: NOW_MS });
}

const counts = (state: PickerState, group: string) =>
  Object.fromEntries(
    shownFacets(state).flatMap((row) => (row.kind === "value" && row.group === group ? [[row.value, row.count]] : [])),
  );

/** Presses the value of a search that has one. */
const choose = (driven: DrivenPicker, text: string) => driven.press(...Array.from(text), "Enter", "Esc");

describe("facets of images", () => {
  test("count the offers of the providers that have such an image", () => {
    const { state } = picker("alpha", "beta", "gamma");
    expect(counts(state, "OS image")).toEqual({
      "debian-12": 10,
      "rocky-linux-9": 10,
      "ubuntu-22.04": 20,
      "ubuntu-24.04": 10,
    });
    expect(counts(state, "CUDA version")).toEqual({ "12": 20, "12.4": 10, "12.8": 10, "13": 10, "13.0": 10 });
  });

  test("require OS and CUDA version from the same image", () => {
    const driven = choose(picker("alpha", "beta", "gamma"), "ubuntu-22.04");
    expect(driven.state.view.offers).toHaveLength(20);
    expect(counts(driven.state, "CUDA version")).toEqual({ "12": 10, "12.4": 10 });
    choose(driven, "version12.4");
    expect(new Set(driven.state.view.offers.map(({ provider }) => provider.name))).toEqual(new Set(["alpha"]));
    expect(driven.state.found.selection.filter.image?.wanted).toEqual({ os: "ubuntu-22.04", cuda: "12.4" });
    choose(choose(driven, "version12.4"), "ubuntu-22.04");
    expect(driven.state.query).toEqual({});
    expect(driven.state.view.offers).toHaveLength(30);
  });

  test("show a provider's offers as soon as its images are loaded", () => {
    const driven = choose(picker("alpha"), "ubuntu-22.04");
    expect(driven.state.view.offers).toHaveLength(10);
    arrive(driven, "beta");
    arrive(driven, "gamma");
    expect(driven.state.view.offers).toHaveLength(20);
    expect(knownImages(driven.state.images).size).toBe(3);
  });

  test("put the cursor of the image step on the first matching image", () => {
    const driven = choose(picker("alpha", "beta", "gamma"), "version12.4").press("Esc", "Enter");
    expect(driven.state.choice).toMatchObject({
      stage: "image",
      offer: { provider: { name: "alpha" } },
      imageCursor: 1,
    });
  });

  test("have the images of all providers read, not only of those on the screen", () => {
    const { state } = new DrivenPicker(offersOf(30), { columns: 80, rows: 10 }).press("f");
    const { commands } = reduce(state, { kind: "idle", nowMs: NOW_MS });
    const read = commands.flatMap((command) => (command.kind === "readImages" ? [command.provider] : []));
    expect(read.sort()).toEqual(["alpha", "beta", "gamma"]);
  });
});
