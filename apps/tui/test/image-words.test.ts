import { fileURLToPath } from "node:url";
import { startReplay } from "@gpu-offers/testkit/replay-server";
import { expect, test } from "vitest";
import { DrivenPicker } from "./driven-picker.ts";
import { runInProcess } from "./in-process.ts";
import { imageNamed, offersOf } from "./offers.ts";

const understood = ({ state }: DrivenPicker): string[] => state.found.understood.map(({ as }) => as);

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

const STARTER = fileURLToPath(new URL("../../api/catalog/starter.json", import.meta.url));

test("words about images filter as --os does, in scripts with a file", async () => {
  const list = async (...args: string[]) =>
    (await runInProcess(["--catalog", STARTER, "list", ...args, "-o", "csv"])).stdout;
  const words = await list("h100 ubuntu 22.04");
  expect(words.split("\n").length).toBeGreaterThan(5);
  expect(words).toBe(await list("h100", "--os", "ubuntu-22.04"));
});

test("a service that reads the words is asked for near texts, and not for its list, if nothing matches", async () => {
  const server = await startReplay(({ target }) => ({
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      listings: [],
      page: 0,
      totalPages: 0,
      totalElements: 0,
      hasMore: false,
      understood: [
        { text: "in europe", as: "Europe" },
        { text: "hl00", as: "unknown; did you mean H100, H200?", nearest: ["H100", "H200"] },
      ],
      ...(target.includes("hl00") && { excludedBy: { q: 2906 } }),
    }),
  }));
  const { code, stderr } = await runInProcess(["list", "hl00 in europe", "--url", server.url]);
  expect(code).toBe(1);
  expect(stderr).toBe(
    'gpu-offers: no offers match. Read as in europe: Europe. "hl00" is unknown; did you mean H100, H200? ' +
      'Without the words "hl00 in europe": 2,906 offers.\n',
  );
  expect(server.requests.map(({ target }) => new URL(target, server.url).searchParams.get("q"))).toEqual([
    "hl00 in europe",
    "h100 in europe",
    "h200 in europe",
    "in europe",
    "hl00 in",
    "hl00 europe",
  ]);
});
