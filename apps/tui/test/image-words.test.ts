import { expect, test } from "vitest";
import { DrivenPicker } from "./driven-picker.ts";
import { imageNamed, offersOf } from "./offers.ts";

const understood = ({ state }: DrivenPicker): (string | undefined)[] => {
  const { search } = state.query.filter;
  return search?.among(state.loaded.offers).parsed.understood.map(({ as }) => as) ?? [];
};

/** A picker in which `ubuntu` was typed, and whose images are loaded as the events say. */
const typed = (): DrivenPicker => new DrivenPicker(offersOf(9), { isHeld: true }).press("/", ..."ubuntu".split(""));

const providers = ({ state }: DrivenPicker): string[] => [
  ...new Set(state.view.offers.map(({ provider }) => provider.name)),
];

test("words about images filter once images are loaded, and all providers' are then read", () => {
  const driven = typed();
  expect(understood(driven)).toEqual(["not filtered, because images are unknown here"]);
  expect(providers(driven)).toHaveLength(3);
  driven.send({ kind: "images", provider: "alpha", images: [imageNamed("debian")], nowMs: driven.state.nowMs });
  driven.send({ kind: "images", provider: "beta", images: [imageNamed("ubuntu")], nowMs: driven.state.nowMs });
  expect(understood(driven)).toEqual(["an image with ubuntu"]);
  expect(providers(driven)).toEqual(["beta"]);
  driven.send({ kind: "idle", nowMs: driven.state.nowMs });
  expect(driven.waiting).toContainEqual({ kind: "readImages", provider: "gamma" });
  driven.send({ kind: "images", provider: "gamma", images: [imageNamed("ubuntu")], nowMs: driven.state.nowMs });
  expect(providers(driven).sort()).toEqual(["beta", "gamma"]);
});

test("words about images exclude nothing where no provider states its images", () => {
  const driven = typed();
  driven.send({ kind: "images", provider: "alpha", images: [], nowMs: driven.state.nowMs });
  expect(understood(driven)).toEqual(["not filtered, because images are unknown here"]);
  expect(providers(driven)).toHaveLength(3);
});
