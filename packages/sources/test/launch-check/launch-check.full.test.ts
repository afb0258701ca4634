import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { providerKey } from "@gpu-offers/domain";
import { beforeAll, describe, expect, test } from "vitest";
import { expectPage, withTable } from "../../src/markdown-table.fixture.ts";
import { present } from "../../src/live/recordings.fixture.ts";
import { data } from "../../src/skypilot/catalogs.fixture.ts";
import { BACKENDS, dstackName, dstackPlace, dstackRows } from "./dstack-rows.ts";
import { readOffers, textsOf, type LaunchedText, type OfferFrom } from "./launched-texts.ts";
import { skyCatalogs, skyHome, skyMachines } from "./skypilot-catalogs.ts";
import { ask, Missing, pythonWith } from "./tools.ts";
import {
  argumentProblems,
  isGpu,
  isListedIn,
  placeOf,
  report,
  termsProblems,
  verdicts,
  type Verdict,
} from "./verdicts.ts";

// Launch texts go through the tools that they are for: what a tool chooses must be the machine of the offer.

const SKYPILOT = "skypilot==0.14.1";
const DSTACK = "dstack[server,aws,azure,gcp,oci,nebius,verda]==0.22.5";

/** Programs of providers, and their packages. */
const PROGRAMS: readonly (readonly [program: string, requirement: string])[] = [
  ["aws", "awscli==1.46.3"],
  ["az", "azure-cli==2.91.0"],
  ["oci", "oci-cli==3.95.1"],
  ["linode-cli", "linode-cli==5.69.0"],
  ["vastai", "vastai==1.9.1"],
];

const TIMEOUT = { timeout: 900_000 };

const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

let offers: OfferFrom[] = [];
let texts: LaunchedText[] = [];

beforeAll(async () => {
  offers = present ? await readOffers() : [];
  texts = textsOf(offers);
});

/** What was found, by tool: providers whose texts were seen to rent their machines, and those whose texts were read. */
const checked = new Map<string, { proven: Set<string>; parsed: Set<string> }>();

/** Fails for what is wrong, and keeps what isn't for the table. */
function expectRight(tool: string, judged: readonly Verdict[]): void {
  expect(report(judged)).toBe("");
  const providers = (isAsked: boolean): Set<string> =>
    new Set(judged.filter((one) => one.isAsked === isAsked).map(({ text }) => providerKey(text.offer.provider.name)));
  checked.set(tool, { proven: providers(true), parsed: providers(false) });
}

/** The Python that has a tool; without it, the test is skipped, and says why. */
async function python(requirement: string, skip: (why: string) => void): Promise<string> {
  try {
    return await pythonWith(requirement);
  } catch (error) {
    if (error instanceof Missing) {
      skip(error.message);
    }
    throw error;
  }
}

describe.skipIf(!present)("launch texts", () => {
  test("SkyPilot chooses the machine, the place, the terms and the disk of the offer", TIMEOUT, async ({ skip }) => {
    // SkyPilot compares a ceiling with its catalog, and the prices of responses that tests made up are none.
    const tasks = texts.filter(({ kind, from }) => kind === "sky" && from !== "response");
    const found = skyCatalogs();
    const results = await ask(
      await python(SKYPILOT, skip),
      [here("skypilot_tasks.py"), fileURLToPath(new URL("../../live/runpod/graphql-gputypes-2026-07-18.json", data))],
      tasks,
      { HOME: skyHome(found), SKYPILOT_DISABLE_USAGE_COLLECTION: "1" },
    );
    const machines = skyMachines(found);
    const judged = verdicts(tasks, results, {
      isListed: (text) => isListedIn(machines, text),
      chosen: (text, chosen) => {
        const { offer, listing } = text;
        const { type, gpus, regions } = chosen;
        const [[gpu, count] = ["nothing", 0]] = Object.entries(gpus);
        const isRunpod = providerKey(offer.provider.name) === "runpod";
        const place = isRunpod && placeOf(text) !== undefined ? offer.regionInfo.countryCode : placeOf(text);
        // The provider's own name of the machine, and that which the offer was read from, are right by themselves.
        const isNamed = type === listing.instanceType || type === listing.toolNames.sky;
        return [
          ...(isNamed || isGpu(gpu, offer, isRunpod ? "pcie" : undefined)
            ? []
            : [`it takes ${gpu} for ${offer.gpu.slug}`]),
          ...(isNamed || count === offer.gpuCount ? [] : [`it takes ${count} GPUs for ${offer.gpuCount}`]),
          ...(place === undefined || regions.join() === place ? [] : ["it takes another place"]),
          ...termsProblems(text, chosen),
        ];
      },
    });
    expectRight(SKYPILOT, judged);
  });

  test("dstack chooses that machine alone", TIMEOUT, async ({ skip }) => {
    const fleets = texts.filter(({ kind }) => kind === "dstack");
    const results = await ask(await python(DSTACK, skip), [here("dstack_fleets.py")], [dstackRows(offers), ...fleets]);
    const judged = verdicts(fleets, results, {
      chosen: (text, chosen) => [
        ...(chosen.backend === BACKENDS.get(providerKey(text.offer.provider.name))
          ? []
          : [`it takes ${chosen.backend}`]),
        ...(chosen.type === dstackName(text) ? [] : [`it takes ${chosen.type}`]),
        ...(placeOf(text) === undefined || chosen.regions.join() === dstackPlace(text) || chosen.backend === "vastai"
          ? []
          : ["it takes another place"]),
        ...termsProblems(text, chosen),
      ],
    });
    expectRight(DSTACK.replace(/\[.*\]/, ""), judged);
  });

  test.for(PROGRAMS)(
    "%s reads the machine, the place, the disk and the terms",
    TIMEOUT,
    async ([program, requirement], { skip }) => {
      // One of each machine and terms: the places of files are many.
      const all = Map.groupBy(
        texts.filter(({ tool }) => tool === program),
        ({ from, listing, offer, isSpot }) => [from, listing.instanceType ?? offer.id, isSpot].join(),
      );
      const commands = [...all.values()].flatMap((list) => list.slice(0, 1));
      const results = await ask(await python(requirement, skip), [here("commands.py"), program], commands);
      expectRight(requirement, verdicts(commands, results, { parsed: argumentProblems }));
    },
  );

  test("the table in docs/launch.md is that of these tools", async ({ skip }) => {
    if (checked.size < PROGRAMS.length + 2) {
      skip("not every tool was asked");
    }
    const list = (keys: Iterable<string>): string => [...new Set(keys)].toSorted().join(", ");
    const shown = (tool: string): string => tool.replace("==", " ");
    const asked = [...checked].filter(([, { proven }]) => proven.size > 0);
    const read = [...checked].filter(([, { proven }]) => proven.size === 0);
    const others = texts.filter(({ kind, tool }) => kind === "cli" && !PROGRAMS.some(([program]) => program === tool));
    const table = [
      ["tool", "texts are", "of providers"],
      ...asked.map(([tool, { proven }]) => [shown(tool), "proven", list(proven)]),
      ...asked
        .filter(([, { parsed }]) => parsed.size > 0)
        .map(([tool, { parsed }]) => [shown(tool), "only parsed: newer machines", list(parsed)]),
      [
        read.map(([tool]) => shown(tool)).join(", "),
        "parsed",
        list(read.flatMap(([, { parsed }]) => Array.from(parsed))),
      ],
      [
        list(others.map(({ tool }) => tool)),
        "from documents",
        list(others.map(({ offer }) => providerKey(offer.provider.name))),
      ],
    ];
    const page = fileURLToPath(new URL("../../../../docs/launch.md", import.meta.url));
    await expectPage(withTable(readFileSync(page, "utf8"), "proofs", table), page, "pnpm launch:check -u");
  });
});
