import { execFile, spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import {
  availabilityOf,
  diskFor,
  findGpuModel,
  ListingCatalog,
  present as known,
  providerKey,
  storageOf,
  type LaunchPlan,
  type ListingFacts,
  type Offer,
} from "@gpu-offers/domain";
import { alikeQuery, LAUNCH_KINDS, launchPlan, planOfTop } from "@gpu-offers/domain/launching";
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
  ["openstack", "python-openstackclient==10.5.0"],
];

const SCW = ["github.com/scaleway/scaleway-cli/v2", "v2.34.0", "cmd/scw"] as const;

/** Clients of providers for Python that read the bodies of requests, by our keys of providers. */
const CLIENTS: readonly (readonly [provider: string, requirement: string])[] = [
  ["hyperstack", "hyperstack==1.56.1a0"],
  ["verda", "verda==1.25.0"],
  ["seeweb", "ecsapi==0.4.0"],
];

const REQUESTS = "curl";

const TIMEOUT = { timeout: 1_200_000 };

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
  await pythonOfSystem();
  try {
    const uv = await installUv();
    await run(uv, ["-q", "venv", "--clear", "-p", "python3", folder]);
    await run(uv, ["-q", "pip", "install", "--python", interpreter, requirement], { timeout: 600_000 });
    mkdirSync(join(folder, "done"));
    return interpreter;
  } catch (error) {
    throw await notInstalled(requirement, error);
  }
}

/**
 * The path of a program of a Go module, built at first, which takes minutes.
 * @param program Its package in the module.
 * @throws Missing without Go, or without a package index outside CI.
 */
async function goProgram(module: string, version: string, program: string): Promise<string> {
  const folder = join(CACHE, `${module}@${version}`.replaceAll(/[^\w.-]+/g, "_"));
  const path = join(folder, "program");
  if (existsSync(path)) {
    return path;
  }
  try {
    await run("go", ["version"]);
  } catch {
    throw new Missing("there is no go");
  }
  try {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "go.mod"), `module launch-check\n\ngo 1.23\n\nrequire ${module} ${version}\n`);
    const output = join(folder, "unfinished");
    await run("go", ["build", "-mod=mod", "-o", output, `${module}/${program}`], { cwd: folder, timeout: 900_000 });
    renameSync(output, path);
    return path;
  } catch (error) {
    throw await notInstalled(`${module}@${version}`, error);
  }
}

/** What is missing where packages can be installed is a mistake. */
async function notInstalled(what: string, error: unknown): Promise<Error> {
  const why = `${what} could not be installed: ${error instanceof Error ? error.message.slice(0, 300) : String(error)}`;
  return (await hasIndex()) ? new Error(why, { cause: error }) : new Missing(why);
}

/** The Python of the system. @throws Missing */
async function pythonOfSystem(): Promise<string> {
  try {
    await run("python3", ["--version"]);
    return "python3";
  } catch {
    throw new Missing("there is no python3");
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
let plans: PlannedText[] = [];

beforeAll(async () => {
  offers = present ? await readOffers() : [];
  texts = textsOf(offers);
  plans = plansOfTop(offers);
}, 120_000);

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
const python = (requirement: string, skip: (why: string) => void): Promise<string> =>
  orSkip(pythonWith(requirement), skip);

async function orSkip(installing: Promise<string>, skip: (why: string) => void): Promise<string> {
  try {
    return await installing;
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
  /** Whole GB of the disk that the text states; undefined if it is included in the machine. */
  diskGb: number | undefined;
  isSpot: boolean;
  nodes: number;
  /** Limit of the price of the plan, USD per hour; null for a free machine. */
  ceiling: number | null;
  kind: string;
  tool: string;
  text: string;
}

/** A text that takes the first of some offers that can be had. */
interface PlannedText extends LaunchedText {
  /** The offers that it may take, cheapest first. */
  alike: readonly OfferFrom[];
}

/** The plans of an offer: with a disk of 500 GB where it can be chosen, with the default one, on spot terms, and for two machines. */
function plansOf({ from, offer, listing, images }: OfferFrom): { isSpot: boolean; nodes: number; plan: LaunchPlan }[] {
  const { storage, isCostComplete } = listing;
  const terms = { ...offer, storage, isCostComplete };
  const diskGb = storageOf(terms).maxGb === 0 ? undefined : diskFor(terms, 500);
  const disk = diskGb === undefined ? {} : { diskGb };
  const choices = [
    { ...disk, isSpot: false, nodes: 1 },
    ...(from === "starter" && diskGb !== undefined ? [{ isSpot: false, nodes: 1 }] : []),
    ...(from === "starter" ? [{ ...disk, isSpot: false, nodes: 2 }] : []),
    ...(listing.spot === null ? [] : [{ ...disk, isSpot: true, nodes: 1 }]),
  ];
  return choices.map((choice) => {
    const { isSpot, nodes } = choice;
    return { isSpot, nodes, plan: launchPlan({ offer, ...listing }, images, choice) };
  });
}

/** Every different text. */
function textsOf(all: readonly OfferFrom[]): LaunchedText[] {
  const found = new Map<string, LaunchedText>();
  for (const one of all) {
    for (const { isSpot, nodes, plan } of plansOf(one)) {
      const { disk_gb: diskGb } = plan.deployment ?? {};
      const { ceiling } = plan;
      for (const { kind, tool, text } of plan.launch) {
        const { from, offer, listing } = one;
        // Tools of many clouds don't make an included disk larger: the volume beside it is the provider's.
        const { includedGb, product } = storageOf({ ...offer, storage: listing.storage });
        const isIncluded = kind !== "cli" && (includedGb === null ? product !== null : includedGb > 0);
        if (!found.has(text)) {
          const stated = isIncluded ? undefined : diskGb;
          const id = found.size;
          found.set(text, { id, from, offer, listing, diskGb: stated, isSpot, nodes, ceiling, kind, tool, text });
        }
      }
    }
  }
  return [...found.values()];
}

/** Offers that a plan is made of. */
const PLANNED = 5;

/** The SkyPilot and dstack texts of plans for two machines, of each GPU and count of the starter and of the recordings. */
function plansOfTop(all: readonly OfferFrom[]): PlannedText[] {
  const found: PlannedText[] = [];
  for (const from of ["starter", "recording"]) {
    const own = all.filter((one) => one.from === from);
    const catalog = ListingCatalog.of(own.map(({ offer, listing }) => ({ offer, ...listing })));
    const firsts = new Map(own.toReversed().map((one) => [`${one.offer.gpu.slug} ${one.offer.gpuCount}`, one]));
    for (const { offer } of firsts.values()) {
      const { selection } = catalog.prepare(alikeQuery({ offer }));
      const { positions } = catalog.select(selection, { page: 0, size: 100 });
      const alike = Array.from(positions, (at) => known(own[at]));
      const listings = alike.map((one) => ({ offer: one.offer, ...one.listing }));
      const [best] = alike;
      if (best === undefined) {
        continue;
      }
      const choice = { nodes: 2 };
      const single = launchPlan({ offer: best.offer, ...best.listing }, best.images, choice);
      const { launch, ceiling } = planOfTop(single, listings, PLANNED, choice);
      for (const { kind, tool, text } of launch.filter((one) => one.kind !== "cli")) {
        const terms = { diskGb: undefined, isSpot: false, nodes: 2, ceiling };
        found.push({ ...best, ...terms, id: found.length, alike, kind, tool, text });
      }
    }
  }
  return found;
}

// The catalogs that SkyPilot is given.

const HEADER =
  "InstanceType,AcceleratorName,AcceleratorCount,vCPUs,MemoryGiB,Price,SpotPrice,Region,AvailabilityZone,GpuInfo";

/**
 * SkyPilot's catalogs by cloud: the sample files, and machines with GPUs of its public catalog that they lack (catalogs/v8;
 * commits 0082b043 of Nebius, 05887511 of Oracle, each of whose regions has each shape, 00148f2a of AWS, 0f407038 of Lambda).
 */
function skyCatalogs(): Record<string, string> {
  const found: Record<string, string> = {};
  for (const file of Object.values(catalogs)) {
    const [, cloud = ""] = file.split("/");
    // Of RunPod, the whole file comes first.
    found[cloud] ??= readFileSync(new URL(file, data), "utf8");
  }
  const rows = parse<Record<string, string>>(readFileSync(here("skypilot-rows.csv")), { columns: true });
  for (const { cloud = "", regions = "", ...machine } of rows) {
    const content = (found[cloud] ?? `${HEADER}\n`).replaceAll("\r\n", "\n");
    const [header = ""] = content.split("\n", 1);
    const lines = regions.split(" ").map((region) => {
      const row: Readonly<Record<string, string>> = {
        ...machine,
        Region: region,
        AvailabilityZone: region,
        Arch: "x86_64",
      };
      const cells = header.split(",").map((name) => row[name] ?? "");
      return `${cells.join()}\n`;
    });
    found[cloud] = `${content}${lines.join("")}`;
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
  /** Limit of the price that the tool has read. */
  ceiling: z.number().nullish(),
  /** What the tool makes of the limit, if that is wrong. */
  problem: z.string().nullish(),
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
function verdicts<Text extends LaunchedText>(
  asked: readonly Text[],
  results: readonly unknown[],
  {
    chosen: problemsOf = () => [],
    parsed: parsedProblems = () => [],
    isListed = () => true,
  }: {
    /** What is wrong with one of all choices for a text. */
    chosen?: (text: Text, chosen: Chosen, all: readonly Chosen[]) => string[];
    parsed?: (text: Text, parsed: Readonly<Record<string, unknown>>) => string[];
    /** Whether the tool's catalog at hand has the machine at all. */
    isListed?: (text: Text) => boolean;
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
      parsed === undefined ? chosen.flatMap((one) => problemsOf(text, one, chosen)) : parsedProblems(text, parsed);
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
  const { diskGb: disk, offer, listing } = text;
  const { includedGb, minAddedGb } = storageOf({ ...offer, storage: listing.storage });
  // Beside an included disk, a tool adds a volume, or says that it doesn't.
  const addedGb = Math.max((disk ?? 0) - (includedGb ?? 0), minAddedGb ?? 0);
  const isFit =
    disk === undefined ||
    chosen.diskGb === null ||
    chosen.diskGb === disk ||
    ((includedGb ?? 0) > 0 && chosen.diskGb === addedGb) ||
    text.text.includes("# The disk is the included one and a volume of ") ||
    (chosen.isDiskFixed === true && chosen.diskGb > disk);
  return [
    ...(chosen.isSpot === text.isSpot ? [] : ["it takes other terms"]),
    ...(isFit ? [] : [`it takes a disk of ${chosen.diskGb} GB for ${disk}`]),
    ...(chosen.nodes === text.nodes ? [] : [`it takes ${chosen.nodes} machines for ${text.nodes}`]),
    ...(chosen.problem == null ? [] : [chosen.problem]),
  ];
}

/** What is wrong with SkyPilot's choice for an offer. */
function skyProblems(text: LaunchedText, chosen: Chosen): string[] {
  const { offer, listing, ceiling } = text;
  const { type, gpus, regions } = chosen;
  const [[gpu, count] = ["nothing", 0]] = Object.entries(gpus);
  const isRunpod = providerKey(offer.provider.name) === "runpod";
  const place = isRunpod && placeOf(text) !== undefined ? offer.regionInfo.countryCode : placeOf(text);
  // The provider's own name of the machine, and that which the offer was read from, are right by themselves.
  const isNamed = type === listing.instanceType || type === listing.toolNames.sky;
  const isLimited =
    chosen.ceiling === ceiling || (chosen.ceiling == null && text.text.includes("# No max_hourly_cost"));
  return [
    ...(isNamed || isGpu(gpu, offer, isRunpod ? "pcie" : undefined) ? [] : [`it takes ${gpu} for ${offer.gpu.slug}`]),
    ...(isNamed || count === offer.gpuCount ? [] : [`it takes ${count} GPUs for ${offer.gpuCount}`]),
    ...(place === undefined || regions.join() === place ? [] : ["it takes another place"]),
    ...(isLimited ? [] : [`it reads ${chosen.ceiling} as the ceiling`]),
    ...termsProblems(text, chosen),
  ];
}

/** What is wrong with dstack's choice for an offer. */
function dstackProblems(text: LaunchedText, chosen: Chosen): string[] {
  const limit = chosen.ceiling ?? Number.POSITIVE_INFINITY;
  // Some backends compare prices with the disk.
  const isLimited = text.ceiling === null || (limit >= text.ceiling && chosen.price <= limit && chosen.ceiling != null);
  return [
    ...(chosen.backend === BACKENDS.get(providerKey(text.offer.provider.name)) ? [] : [`it takes ${chosen.backend}`]),
    ...(chosen.type === dstackName(text) ? [] : [`it takes ${chosen.type}`]),
    ...(placeOf(text) === undefined || chosen.regions.join() === dstackPlace(text) || chosen.backend === "vastai"
      ? []
      : ["it takes another place"]),
    ...(isLimited ? [] : [`it takes ${chosen.price} USD under a ceiling of ${chosen.ceiling}`]),
    ...termsProblems(text, chosen),
  ];
}

/** The offers of a plan that a choice may be of: their places in the order of the plan. */
function placesInPlan(
  text: PlannedText,
  chosen: Chosen,
  problemsOf: (text: LaunchedText, chosen: Chosen) => string[],
): number[] {
  return text.alike.flatMap(({ offer, listing, images }, index) => {
    const { ceiling } = launchPlan({ offer, ...listing }, images);
    return problemsOf({ ...text, offer, listing, ceiling }, chosen).length === 0 ? [index] : [];
  });
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
  openstack: ["flavor", "--os-region-name", "-", "-", ""],
  scw: ["commercial_type", "zone", "disk_gb", "-", ""],
};

/** Where programs that rent several machines at once have their number, and those with a limit of the price the limit. */
const NODES: Readonly<Record<string, string>> = { aws: "MinCount", az: "count" };
const LIMITS: Readonly<Record<string, string>> = { aws: "InstanceMarketOptions.SpotOptions.MaxPrice", az: "max_price" };

/** What is wrong with the arguments that a provider's program reads. */
function argumentProblems(text: LaunchedText, read: Readonly<Record<string, unknown>>): string[] {
  const { listing, tool, diskGb, isSpot, nodes, ceiling } = text;
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
    ...(nodes === 1 || said(NODES[tool] ?? "") === String(nodes) || text.text.includes(`# Send it ${nodes} times`)
      ? []
      : [`it reads ${said(NODES[tool] ?? "")} as the number of machines`]),
    ...(isSpot && LIMITS[tool] !== undefined && Number(said(LIMITS[tool])) !== ceiling
      ? [`it reads ${said(LIMITS[tool])} as the ceiling`]
      : []),
  ];
}

/** A member of a request's body, as its provider publishes it. */
type Member = Readonly<Record<"provider" | "member" | "type" | "is" | "required" | "seen", string>>;

const MEMBERS = Map.groupBy(
  parse<Member>(readFileSync(here("request-members.csv")), { columns: true, comment: "#", relax_quotes: true }),
  ({ provider }) => provider,
);

/** The members of a body by their paths: `gpu.id`, `rules[].port`. Lists of texts are values. */
function membersOf(value: unknown, path = ""): [path: string, value: unknown][] {
  if (Array.isArray(value) && value.some((one) => typeof one === "object")) {
    return value.flatMap((one) => membersOf(one, `${path}[]`));
  }
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? Object.entries(value).flatMap(([name, one]) => membersOf(one, path === "" ? name : `${path}.${name}`))
    : [[path, value]];
}

/** Whether a value has a type of request-members.csv, or is a placeholder. */
function hasType(value: unknown, type: string): boolean {
  if (typeof value === "string" && /^<[\w-]+>$/.test(value)) {
    return type !== "flag";
  }
  const isOf: Readonly<Record<string, () => boolean>> = {
    text: () => typeof value === "string",
    whole: () => Number.isSafeInteger(value),
    number: () => typeof value === "number",
    flag: () => typeof value === "boolean",
    texts: () => Array.isArray(value) && value.every((one) => typeof one === "string"),
  };
  return isOf[type]?.() ?? type.split("|").includes(String(value));
}

/** A value without the brackets of a list or the quotes of a text. */
function plainText(value: unknown): string {
  return Array.isArray(value) ? value.join() : typeof value === "string" ? value : JSON.stringify(value);
}

/** What is wrong with a request: with its members, and with what it rents. */
function requestProblems(text: LaunchedText, { body }: Readonly<Record<string, unknown>>): string[] {
  const { listing, offer, diskGb, isSpot, nodes, ceiling } = text;
  const rows = MEMBERS.get(providerKey(offer.provider.name)) ?? [];
  const members = membersOf(body).map(([path, value]) => {
    const row = rows.find(({ member }) => member === path || matches(member, path));
    return { path, value, row };
  });
  const place = placeOf(text);
  const wanted: Readonly<Record<string, unknown>> = {
    machine: listing.instanceType ?? listing.providerOfferId,
    place: providerKey(offer.provider.name) === "runpod" ? offer.region.split("/").at(-1) : place,
    count: offer.gpuCount,
    disk: diskGb,
    spot: isSpot,
    nodes,
    ceiling,
  };
  const stated = (is: string): string | undefined => {
    const value = members.find(({ row }) => row?.is === is)?.value;
    return value === undefined ? undefined : plainText(value);
  };
  return [
    ...members.filter(({ row }) => row === undefined).map(({ path }) => `${path} is no member of the request`),
    ...members.flatMap(({ path, value, row }) =>
      row === undefined || hasType(value, row.type) ? [] : [`${path} is ${JSON.stringify(value)}, not ${row.type}`],
    ),
    ...rows
      .filter(({ member, required }) => required === "yes" && !members.some(({ row }) => row?.member === member))
      .map(({ member }) => `${member} is missing`),
    ...Object.entries(wanted).flatMap(([is, value]) =>
      value === undefined || value === null || stated(is) === undefined || stated(is) === plainText(value)
        ? []
        : [`it states ${stated(is)} as the ${is}`],
    ),
  ];
}

/** Whether a path is a member whose `*` stands for any name. */
function matches(member: string, path: string): boolean {
  const [before = "", after] = member.split("*");
  return after !== undefined && path.startsWith(before) && path.endsWith(after);
}

/** Clouds whose names of machines are SkyPilot's own, so that a name that its catalog doesn't have is none. */
const OWN_NAMES = new Set(["runpod", "vast", "shadeform", "hyperbolic", "cudo", "fluidstack", "primeintellect"]);

/** Whether the machines that a task names are in the catalogs, or must be. */
function isListedIn(machines: ReadonlySet<string>, { text, isSpot }: LaunchedText): boolean {
  const named = text.matchAll(/infra: "?([^"\n]+)"?\n *instance_type: "?([^"\n]+?)"?\n/g);
  return Array.from(named).every(([, place = "", type = ""]) => {
    const [cloud = "", region = ""] = place.split("/");
    return OWN_NAMES.has(cloud) || machines.has([cloud, type, region, isSpot].join());
  });
}

/** One of each machine and terms: the places of files are many. */
function oneOfEach(list: readonly LaunchedText[]): LaunchedText[] {
  const all = Map.groupBy(list, ({ from, listing, offer, isSpot, nodes }) =>
    [from, listing.instanceType ?? offer.id, isSpot, nodes].join(),
  );
  return [...all.values()].flatMap((same) => same.slice(0, 1));
}

describe.skipIf(!present)("launch texts", () => {
  test.for(["starter", "recording", "response"])(
    "of offers from a %s are at least 90 %; the others have a page, and each tool without a text a reason",
    (from) => {
      const sold = offers.filter(
        (one) => one.from === from && availabilityOf({ ...one.listing, offer: one.offer }) !== "sold_out",
      );
      const all = sold.map(({ offer, listing, images }) => launchPlan({ offer, ...listing }, images));
      expect(all.filter(({ problems }) => problems.length > 0)).toEqual([]);
      expect(all.filter(({ launch, rentUrl }) => launch.length === 0 && rentUrl === null)).toEqual([]);
      expect(all.filter(({ launch, missing }) => launch.length + missing.length !== LAUNCH_KINDS.length)).toEqual([]);
      const withText = all.filter(({ launch }) => launch.length > 0);
      expect(withText.length / sold.length).toBeGreaterThanOrEqual(0.9);
    },
  );

  /** What SkyPilot makes of tasks. */
  async function askSky(tasks: readonly LaunchedText[], skip: (why: string) => void) {
    const found = skyCatalogs();
    const recorded = fileURLToPath(new URL("../../live/runpod/graphql-gputypes-2026-07-18.json", data));
    const settings = { HOME: skyHome(found), SKYPILOT_DISABLE_USAGE_COLLECTION: "1" };
    const results = await ask(await python(SKYPILOT, skip), [here("skypilot_tasks.py"), recorded], tasks, settings);
    return { results, machines: skyMachines(found) };
  }

  const askDstack = async (fleets: readonly LaunchedText[], skip: (why: string) => void): Promise<unknown[]> =>
    ask(await python(DSTACK, skip), [here("dstack_fleets.py")], [dstackRows(offers), ...fleets]);

  test(
    "SkyPilot chooses the machine, the place, the terms and the disk of the offer, and heeds the ceiling",
    TIMEOUT,
    async ({ skip }) => {
      // SkyPilot compares a ceiling with its catalog, and the prices of responses that tests made up are none.
      const tasks = texts.filter(({ kind, from }) => kind === "sky" && from !== "response");
      const { results, machines } = await askSky(tasks, skip);
      const judged = verdicts(tasks, results, { isListed: (text) => isListedIn(machines, text), chosen: skyProblems });
      expectRight(SKYPILOT, judged);
    },
  );

  test("SkyPilot tries the offers of a plan in their order, best price first", TIMEOUT, async ({ skip }) => {
    const tasks = plans.filter(({ kind }) => kind === "sky");
    const { results, machines } = await askSky(tasks, skip);
    const judged = verdicts(tasks, results, {
      isListed: (text) => isListedIn(machines, text),
      chosen: (text, chosen, all) => {
        const before = all.slice(0, all.indexOf(chosen)).map((one) => placesInPlan(text, one, skyProblems)[0] ?? 0);
        const own = placesInPlan(text, chosen, skyProblems);
        return own.length === 0
          ? [`it takes ${chosen.type}, which is no offer of the plan`]
          : own.some((place) => before.every((earlier) => earlier <= place))
            ? []
            : ["it tries a dearer one first"];
      },
    });
    expect(report(judged)).toBe("");
    expect(judged.filter(({ isAsked }) => isAsked).length).toBeGreaterThan(10);
    const several = results.filter((one) => (resultSchema.parse(one).chosen ?? []).length > 1);
    expect(several.length).toBeGreaterThan(5);
  });

  test("dstack chooses that machine alone, below the ceiling", TIMEOUT, async ({ skip }) => {
    const fleets = texts.filter(({ kind }) => kind === "dstack");
    const judged = verdicts(fleets, await askDstack(fleets, skip), { chosen: dstackProblems });
    expectRight(DSTACK.replace(/\[.*\]/, ""), judged);
  });

  test("all that dstack may choose of a plan are its offers", TIMEOUT, async ({ skip }) => {
    const fleets = plans.filter(({ kind }) => kind === "dstack");
    const results = await askDstack(fleets, skip);
    // The limit is that of the dearest.
    const isOfPlan = (text: LaunchedText, chosen: Chosen): string[] =>
      dstackProblems({ ...text, ceiling: null }, chosen);
    const judged = verdicts(fleets, results, {
      chosen: (text, chosen) => [
        ...(placesInPlan(text, chosen, (one) => isOfPlan(one, chosen)).length > 0
          ? []
          : [`it takes ${chosen.type} in ${chosen.regions.join()}, which is no offer of the plan`]),
        ...(chosen.price <= (chosen.ceiling ?? 0) ? [] : ["it takes one above the ceiling"]),
      ],
    });
    expect(report(judged)).toBe("");
    const backends = results.map((one) => new Set(resultSchema.parse(one).chosen?.map(({ backend }) => backend)));
    expect(backends.filter(({ size }) => size > 1).length).toBeGreaterThan(5);
  });

  test.for(PROGRAMS)(
    "%s reads the machine, the place, the disk and the terms",
    TIMEOUT,
    async ([program, requirement], { skip }) => {
      const commands = oneOfEach(texts.filter(({ tool }) => tool === program));
      const results = await ask(await python(requirement, skip), [here("commands.py"), program], commands);
      expectRight(requirement, verdicts(commands, results, { parsed: argumentProblems }));
    },
  );

  test("scw sends the machine, the place and the disk", TIMEOUT, async ({ skip }) => {
    const program = await orSkip(goProgram(...SCW), skip);
    const commands = oneOfEach(texts.filter(({ tool }) => tool === "scw"));
    const interpreter = await orSkip(pythonOfSystem(), skip);
    const results = await ask(interpreter, [here("commands.py"), "scw", program], commands);
    expectRight(`scw ${SCW[1].slice(1)}`, verdicts(commands, results, { parsed: argumentProblems }));
  });

  /** The requests, and what they send. */
  const askRequests = async (skip: (why: string) => void) => {
    const requests = oneOfEach(texts.filter(({ tool }) => tool === REQUESTS));
    return {
      requests,
      results: await ask(await orSkip(pythonOfSystem(), skip), [here("commands.py"), "curl"], requests),
    };
  };

  test(
    "requests have the members that their providers publish, with the machine, the place and the disk",
    TIMEOUT,
    async ({ skip }) => {
      const { requests, results } = await askRequests(skip);
      expectRight(REQUESTS, verdicts(requests, results, { parsed: requestProblems }));
    },
  );

  test.for(CLIENTS)("the client of %s reads the requests", TIMEOUT, async ([provider, requirement], { skip }) => {
    const { requests, results } = await askRequests(skip);
    const own = requests.filter(({ offer }) => providerKey(offer.provider.name) === provider);
    const bodies = results.map((result) => resultSchema.parse(result));
    const lines = own.map(({ id }) => {
      const { parsed } = known(bodies.find((one) => one.id === id));
      return { id, text: JSON.stringify(parsed?.["body"]) };
    });
    const [client = ""] = requirement.split("==");
    const read = await ask(await python(requirement, skip), [here("bodies.py"), client], lines);
    expectRight(requirement, verdicts(own, read, {}));
  });

  test("the table in docs/launch.md is that of these tools", async ({ skip }) => {
    if (checked.size < PROGRAMS.length + CLIENTS.length + 4) {
      skip("not every tool was asked");
    }
    const list = (keys: Iterable<string>): string => [...new Set(keys)].toSorted().join(", ");
    const shown = (tool: string): string => tool.replace("==", " ");
    const clients = new Set(CLIENTS.map(([, requirement]) => requirement));
    const asked = [...checked].filter(([, { proven }]) => proven.size > 0);
    const read = [...checked].filter(([, { proven }]) => proven.size === 0);
    const row = (are: string, all: typeof read): string[] => [
      list(all.map(([tool]) => shown(tool))),
      are,
      list(all.flatMap(([, { parsed }]) => Array.from(parsed))),
    ];
    const programs = new Set([...PROGRAMS.map(([program]) => program), "scw", REQUESTS]);
    const others = texts.filter(({ kind, tool }) => kind === "cli" && !programs.has(tool));
    const table = [
      ["tool", "texts are", "of providers"],
      ...asked.map(([tool, { proven }]) => [shown(tool), "proven", list(proven)]),
      ...asked
        .filter(([, { parsed }]) => parsed.size > 0)
        .map(([tool, { parsed }]) => [shown(tool), "parsed: newer than the catalogs at hand", list(parsed)]),
      row(
        "read by the program",
        read.filter(([tool]) => tool !== REQUESTS && !clients.has(tool)),
      ),
      row(
        "requests read by the provider's client",
        read.filter(([tool]) => clients.has(tool)),
      ),
      row(
        "requests with the published members",
        read.filter(([tool]) => tool === REQUESTS),
      ),
      [
        list(others.map(({ tool }) => tool)),
        "from documents: no package index has the program",
        list(others.map(({ offer }) => providerKey(offer.provider.name))),
      ],
    ];
    const page = fileURLToPath(new URL("../../../../docs/launch.md", import.meta.url));
    await expectPage(withTable(readFileSync(page, "utf8"), "proofs", table), page, "pnpm launch:check -u");
  });
});
