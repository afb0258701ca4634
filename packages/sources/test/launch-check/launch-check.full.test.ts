import { execFile, spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import {
  diskFor,
  findGpuModel,
  providerKey,
  storageOf,
  type LaunchPlan,
  type ListingFacts,
  type Offer,
} from "@gpu-offers/domain";
import { launchPlan } from "@gpu-offers/domain/launching";
import { parse } from "csv-parse/sync";
import { beforeAll, describe, expect, test } from "vitest";
import * as z from "zod";
import { expectPage, withTable } from "../../src/markdown-table.fixture.ts";
import { present } from "../../src/live/recordings.fixture.ts";
import { catalogs, data } from "../../src/skypilot/catalogs.fixture.ts";
import { readOffers, type OfferFrom } from "./read-offers.ts";

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

// Other projects' tools, each in an environment of its own in the user's cache, at a pinned version.

const run = promisify(execFile);

const CACHE = join(process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache"), "gpu-offers", "launch-check");

const UV = "uv==0.13.9";

/** Why a tool can't be asked here. */
class Missing extends Error {}

/**
 * The Python of an environment that has a package, installed at first.
 * @throws Missing without Python, or without a package index outside CI.
 */
async function pythonWith(requirement: string): Promise<string> {
  const folder = join(CACHE, requirement.replaceAll(/[^\w.-]+/g, "_"));
  const interpreter = join(folder, "bin", "python");
  if (existsSync(join(folder, "done"))) {
    return interpreter;
  }
  try {
    await run("python3", ["--version"]);
  } catch {
    throw new Missing("there is no python3");
  }
  try {
    const uv = await installUv();
    await run(uv, ["-q", "venv", "--clear", "-p", "python3", folder]);
    await run(uv, ["-q", "pip", "install", "--python", interpreter, requirement], { timeout: 600_000 });
    mkdirSync(join(folder, "done"));
    return interpreter;
  } catch (error) {
    const why = error instanceof Error ? error.message.slice(0, 300) : String(error);
    // What is missing where packages can be installed is a mistake.
    if (await hasIndex()) {
      throw new Error(`${requirement} could not be installed: ${why}`, { cause: error });
    }
    throw new Missing(`${requirement} could not be installed: ${why}`);
  }
}

async function installUv(): Promise<string> {
  const folder = join(CACHE, UV);
  const uv = join(folder, "bin", "uv");
  if (!existsSync(uv)) {
    await run("python3", ["-m", "venv", folder]);
    await run(join(folder, "bin", "pip"), ["-q", "install", UV], { timeout: 300_000 });
  }
  return uv;
}

async function hasIndex(): Promise<boolean> {
  try {
    await run("python3", ["-m", "pip", "download", "-q", "--no-deps", "-d", join(CACHE, "probe"), "six"], {
      timeout: 60_000,
    });
    return true;
  } catch {
    return false;
  }
}

/** Sends lines of JSON to a program of Python, and returns the lines that it prints, as JSON. */
async function ask(
  interpreter: string,
  args: readonly string[],
  lines: readonly unknown[],
  environment: Readonly<Record<string, string>> = {},
): Promise<unknown[]> {
  const child = spawn(interpreter, args, {
    env: { PATH: process.env["PATH"], HOME: homedir(), ...environment },
    stdio: ["pipe", "pipe", "pipe"],
  });
  let errors = "";
  child.stderr.on("data", (text: Buffer) => (errors = `${errors}${text.toString()}`.slice(-3000)));
  child.stdin.on("error", () => undefined);
  child.stdin.end(lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  const printed: unknown[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    printed.push(JSON.parse(line));
  }
  const code = child.exitCode ?? (await new Promise((resolve) => child.once("exit", resolve)));
  if (code !== 0) {
    throw new Error(`${args.join(" ")} ended with ${String(code)}: ${errors}`);
  }
  return printed;
}

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

/** A text, and what it must rent. */
interface LaunchedText {
  id: number;
  /** Where the offer is from, such as `starter`. */
  from: string;
  offer: Offer;
  listing: ListingFacts;
  /** Whole GB of the disk that the plan's total includes; undefined if it is included in the machine. */
  diskGb: number | undefined;
  isSpot: boolean;
  kind: string;
  tool: string;
  text: string;
}

/** The plans of an offer: with a disk of 500 GB where it can be chosen, with the default one, and on spot terms. */
function plansOf({ from, offer, listing, images }: OfferFrom): { isSpot: boolean; plan: LaunchPlan }[] {
  const { storage, isCostComplete } = listing;
  const terms = { ...offer, storage, isCostComplete };
  const diskGb = storageOf(terms).maxGb === 0 ? undefined : diskFor(terms, 500);
  const disk = diskGb === undefined ? {} : { diskGb };
  const choices = [
    { ...disk, isSpot: false },
    ...(from === "starter" && diskGb !== undefined ? [{ isSpot: false }] : []),
    ...(listing.spot === null ? [] : [{ ...disk, isSpot: true }]),
  ];
  return choices.map((choice) => ({ isSpot: choice.isSpot, plan: launchPlan({ offer, ...listing }, images, choice) }));
}

/** Every different text. */
function textsOf(all: readonly OfferFrom[]): LaunchedText[] {
  const found = new Map<string, LaunchedText>();
  for (const one of all) {
    for (const { isSpot, plan } of plansOf(one)) {
      const { disk_gb: diskGb } = plan.deployment ?? {};
      for (const { kind, tool, text } of plan.launch) {
        const { from, offer, listing } = one;
        if (!found.has(text)) {
          found.set(text, { id: found.size, from, offer, listing, diskGb, isSpot, kind, tool, text });
        }
      }
    }
  }
  return [...found.values()];
}

// The catalogs that SkyPilot is given.

const HEADER =
  "InstanceType,AcceleratorName,AcceleratorCount,vCPUs,MemoryGiB,Price,SpotPrice,Region,AvailabilityZone,GpuInfo";

/**
 * SkyPilot's catalogs by cloud: the sample files, and of Nebius and Oracle the machines with GPUs of its public catalog
 * (catalogs/v8, commits 0082b043 and 05887511; each region of the latter has each shape).
 */
function skyCatalogs(): Record<string, string> {
  const found: Record<string, string> = {};
  for (const file of Object.values(catalogs)) {
    const [, cloud = ""] = file.split("/");
    // Of RunPod, the whole file comes first.
    found[cloud] ??= readFileSync(new URL(file, data), "utf8");
  }
  const rows = readFileSync(here("skypilot-rows.csv"), "utf8").trim().split("\n").slice(1);
  for (const row of rows) {
    const [cloud = "", ...cells] = row.split(",");
    const machine = cells.slice(0, -1).join();
    const lines = (cells.at(-1) ?? "").split(" ").map((region) => `${machine},${region},${region},\n`);
    found[cloud] = `${found[cloud] ?? `${HEADER}\n`}${lines.join("")}`;
  }
  return found;
}

/** The machines of SkyPilot's catalogs that have a price, as cloud, type, region and terms. */
function skyMachines(found: Readonly<Record<string, string>>): Set<string> {
  return new Set(
    Object.entries(found).flatMap(([cloud, content]) =>
      parse<Record<string, string>>(content, { columns: true }).flatMap((row) =>
        [false, true]
          .filter((isSpot) => (row[isSpot ? "SpotPrice" : "Price"] ?? "") !== "")
          .map((isSpot) => [cloud, row["InstanceType"], row["Region"], isSpot].join()),
      ),
    ),
  );
}

/** A home with catalogs. */
function skyHome(found: Readonly<Record<string, string>>): string {
  const home = mkdtempSync(join(tmpdir(), "gpu-offers-test-"));
  for (const [cloud, content] of Object.entries(found)) {
    mkdirSync(join(home, ".sky/catalogs/v8", cloud), { recursive: true });
    writeFileSync(join(home, ".sky/catalogs/v8", cloud, "vms.csv"), content);
  }
  return home;
}

// The catalog that dstack is given: a row for each offer, named as gpuhunt's readers name the rows of that provider.

/** dstack's backends by our keys of providers. */
const BACKENDS: ReadonlyMap<string, string> = new Map(
  "aws azure cloudrift crusoe do:digitalocean gcp hotaisle jarvislabs lambda nebius oci runpod seeweb vast:vastai verda vultr"
    .split(" ")
    .map((pair) => pair.split(":"))
    .map(([key = "", backend = key]) => [key, backend]),
);

/** gpuhunt's name of a GPU: `H100`, `RTX4090`. */
const dstackGpu = ({ gpu }: OfferFrom["offer"]): string =>
  gpu.name.replace(/ (?:SXM|PCIe|NVL|OAM|\d+ ?GB).*$/, "").replaceAll(" ", "");

/** gpuhunt's name of a machine (`instance_name` in gpuhunt/providers); undefined if it isn't known. */
function dstackName({ offer, listing }: Pick<OfferFrom, "offer" | "listing">): string | undefined {
  const { instanceType, providerOfferId, toolNames } = listing;
  switch (providerKey(offer.provider.name)) {
    case "vast":
      return providerOfferId ?? undefined;
    case "jarvislabs":
      return `${dstackGpu(offer)}-${offer.gpuCount}x`;
    case "hotaisle":
      return `${offer.deploymentType === "bare-metal" ? "bm" : "vm"}-${dstackGpu(offer).toLowerCase()}-${offer.gpuCount}`;
    case "nebius":
      return (instanceType ?? toolNames.sky)?.replace(/^(gpu-[\w-]+)[ _](\d+gpu.*)$/, "$1 $2");
    default:
      return instanceType ?? undefined;
  }
}

/** The region of a row, and of Google's the zone. */
function dstackPlace({ offer }: Pick<OfferFrom, "offer">): string {
  const [region = ""] = offer.region.split("/");
  const backend = providerKey(offer.provider.name);
  if (backend === "runpod") {
    return offer.region.split("/").at(-1) ?? region;
  }
  return backend === "gcp" ? region.replace(/(\d)(?:-[a-z])?$/, "$1") : region;
}

/** The rows of all offers. */
function dstackRows(all: readonly OfferFrom[]): unknown[] {
  const rows = new Map<string, unknown>();
  for (const one of all) {
    const { offer, listing } = one;
    const backend = BACKENDS.get(providerKey(offer.provider.name));
    const name = dstackName(one);
    if (backend === undefined || name === undefined) {
      continue;
    }
    for (const spot of listing.spot === null ? [false] : [false, true]) {
      const region = dstackPlace(one);
      const item = {
        provider: backend === "lambda" ? "lambdalabs" : backend,
        instance_name: name,
        location: backend === "gcp" ? `${region}-a` : region,
        price: (spot ? listing.spot?.priceHourly : undefined) ?? offer.priceHourly,
        cpu: offer.specs.vcpu || 64,
        memory: offer.specs.ram || 512,
        gpu_count: offer.gpuCount,
        gpu_vendor: findGpuModel(offer.gpu.slug)?.vendor.toLowerCase() ?? "nvidia",
        gpu_name: dstackGpu(offer),
        gpu_memory: offer.gpu.vramGB,
        spot,
        disk_size: listing.storage?.includedGb || offer.specs.disk || null,
      };
      rows.set([offer.id, one.from, spot].join(), { backend, item });
    }
  }
  return [...rows.values()];
}

// What is right and wrong about the choice that a tool makes for a text.

/** What a tool chose. */
const chosenSchema = z.object({
  type: z.string(),
  backend: z.string().optional(),
  gpus: z.record(z.string(), z.number()),
  regions: z.array(z.string()),
  isSpot: z.boolean(),
  /** Null if unknown. */
  diskGb: z.number().nullable(),
  isDiskFixed: z.boolean().optional(),
  price: z.number(),
  nodes: z.int(),
});
type Chosen = z.infer<typeof chosenSchema>;

/** What a tool made of a text: `parsed` if all that it can say is that the text is well-formed. */
const resultSchema = z.object({
  id: z.int(),
  error: z.string().optional(),
  chosen: z.array(chosenSchema).optional(),
  parsed: z.record(z.string(), z.unknown()).optional(),
});

/** A text with what is wrong with its choice. */
interface Verdict {
  text: LaunchedText;
  /** Empty if nothing is. */
  problems: readonly string[];
  /** Whether the tool could be asked what it would rent. */
  isAsked: boolean;
}

/** The verdicts on the results of a tool. @throws Error if an result is missing. */
function verdicts(
  asked: readonly LaunchedText[],
  results: readonly unknown[],
  {
    chosen: problemsOf = () => [],
    parsed: parsedProblems = () => [],
    isListed = () => true,
  }: {
    chosen?: (text: LaunchedText, chosen: Chosen) => string[];
    parsed?: (text: LaunchedText, parsed: Readonly<Record<string, unknown>>) => string[];
    /** Whether the tool's catalog at hand has the machine at all. */
    isListed?: (text: LaunchedText) => boolean;
  },
): Verdict[] {
  const byId = new Map(results.map((result) => resultSchema.parse(result)).map((result) => [result.id, result]));
  return asked.map((text) => {
    const result = byId.get(text.id);
    if (result === undefined) {
      throw new Error(`No result of ${text.text}`);
    }
    const { error, chosen = [], parsed } = result;
    if (error !== undefined) {
      return isListed(text) ? { text, problems: [error], isAsked: true } : { text, problems: [], isAsked: false };
    }
    const problems =
      parsed === undefined ? chosen.flatMap((one) => problemsOf(text, one)) : parsedProblems(text, parsed);
    return { text, problems: [...new Set(problems)], isAsked: parsed === undefined };
  });
}

/** What is wrong, to read: a line for each kind of problem. */
function report(all: readonly Verdict[]): string {
  const wrong = all.flatMap(({ text, problems }) => problems.map((why) => ({ text, why })));
  const groups = Map.groupBy(
    wrong,
    ({ text, why }) => `${text.tool}, ${text.offer.provider.name} (${text.from}): ${why}`,
  );
  const lines = [...groups].map(([why, list]) => {
    const names = [...new Set(list.map(({ text }) => nameOf(text)))];
    return `- ${why} | ${list.length}: ${names.slice(0, 6).join("; ")}${names.length > 6 ? " ..." : ""}`;
  });
  return lines.toSorted().join("\n");
}

const nameOf = ({ offer, listing, isSpot }: LaunchedText): string =>
  `${listing.instanceType ?? listing.toolNames.sky ?? "?"} ${offer.gpuCount}x ${offer.gpu.slug} in ${offer.region}${isSpot ? " (spot)" : ""}`;

const FORM = /sxm|pcie|nvl/;

/** A name of a GPU without what tools leave out: `h100sxm`, `a100`. */
const bare = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]|nvidia|geforce|tesla|rtx|\d+ ?gb|oam|server|(?<=sxm)\d/g, "")
    .replace(/wk$/, "workstation");

/**
 * Whether SkyPilot's name of a GPU can be that of an offer.
 * @param plain The form of a name without one, if the cloud has several.
 */
function isGpu(name: string, { gpu }: LaunchedText["offer"], plain?: string): boolean {
  const form = FORM.exec(bare(name))?.[0] ?? plain;
  const own = FORM.exec(bare(gpu.name))?.[0];
  const memory = name.includes("80")
    ? 80
    : name.startsWith("A100")
      ? 40
      : /^V100.*32/.test(name)
        ? 32
        : name.startsWith("V100")
          ? 16
          : gpu.vramGB;
  return (
    bare(name).replace(FORM, "") === bare(gpu.name).replace(FORM, "") &&
    (form === undefined || own === undefined || form === own) &&
    memory === gpu.vramGB
  );
}

/** The region of an offer; undefined if it is unknown. */
function placeOf({ offer }: Pick<LaunchedText, "offer">): string | undefined {
  const [region = ""] = offer.region.split("/");
  return region === "unknown" ? undefined : region.replace(/^([a-z]+-[a-z]+\d+)-[a-z]$/, "$1");
}

/** What is wrong with the terms that a tool chooses. */
function termsProblems(text: LaunchedText, chosen: Chosen): string[] {
  const { diskGb: disk } = text;
  const isFit =
    disk === undefined ||
    chosen.diskGb === null ||
    chosen.diskGb === disk ||
    (chosen.isDiskFixed === true && chosen.diskGb > disk);
  return [
    ...(chosen.isSpot === text.isSpot ? [] : ["it takes other terms"]),
    ...(isFit ? [] : [`it takes a disk of ${chosen.diskGb} GB for ${disk}`]),
    ...(chosen.nodes === 1 ? [] : [`it takes ${chosen.nodes} machines`]),
  ];
}

/** Where each program has what a text must state: the machine, the place, the disk in GB, and the spot terms with their value. */
const FIELDS: Readonly<
  Record<string, readonly [type: string, region: string, disk: string, spot: string, value: string]>
> = {
  aws: ["InstanceType", "region", "BlockDeviceMapping.1.Ebs.VolumeSize", "InstanceMarketOptions.MarketType", "spot"],
  az: ["size", "location", "os_disk_size_gb", "priority", "Spot"],
  oci: ["shape", "region", "boot_volume_size_in_gbs", "preemptible_instance_config", "TERMINATE"],
  "linode-cli": ["type", "region", "-", "-", ""],
  vastai: ["id", "-", "disk", "bid_price", ""],
};

/** What is wrong with the arguments that a provider's program reads. */
function argumentProblems(text: LaunchedText, read: Readonly<Record<string, unknown>>): string[] {
  const { listing, tool, diskGb, isSpot } = text;
  const [type, region, disk, spot, value] = FIELDS[tool] ?? ["", "", "", "", ""];
  const said = (name: string): string =>
    read[name] == null ? "" : JSON.stringify(read[name]).replaceAll(/^"|"$/g, "");
  const place = placeOf(text) ?? "<region>";
  const bid = listing.spot?.kind === "bid" ? String(listing.spot.priceHourly) : value;
  return [
    ...(said(type) === (tool === "vastai" ? listing.providerOfferId : listing.instanceType)
      ? []
      : [`it reads ${said(type)} as the machine`]),
    ...(region === "-" || said(region) === place ? [] : [`it reads ${said(region)} as the place`]),
    ...(disk === "-" || diskGb === undefined || Number(said(disk)) === diskGb
      ? []
      : [`it reads ${said(disk)} as the disk`]),
    ...(isSpot === (said(spot) !== "" && said(spot).includes(bid)) || spot === "-"
      ? []
      : [`it reads ${said(spot)} as spot terms`]),
  ];
}

/** Clouds whose names of machines are SkyPilot's own, so that a name that its catalog doesn't have is none. */
const OWN_NAMES = new Set(["runpod", "vast", "shadeform", "hyperbolic", "cudo", "fluidstack", "primeintellect"]);

/** Whether the machine that a task names is in one of the catalogs, or must be. */
function isListedIn(machines: ReadonlySet<string>, { text, offer, isSpot }: LaunchedText): boolean {
  const [, place = ""] = /infra: "?([^"\n]+)/.exec(text) ?? [];
  const [, type = ""] = /instance_type: "?([^"\n]+?)"?\n/.exec(text) ?? [];
  const [cloud = "", region = ""] = place.split("/");
  return OWN_NAMES.has(providerKey(offer.provider.name)) || machines.has([cloud, type, region, isSpot].join());
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
