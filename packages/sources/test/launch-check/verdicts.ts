import { providerKey } from "@gpu-offers/domain";
import * as z from "zod";
import type { LaunchedText } from "./launched-texts.ts";

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
export type Chosen = z.infer<typeof chosenSchema>;

/** What a tool made of a text: `parsed` if all that it can say is that the text is well-formed. */
const resultSchema = z.object({
  id: z.int(),
  error: z.string().optional(),
  chosen: z.array(chosenSchema).optional(),
  parsed: z.record(z.string(), z.unknown()).optional(),
});

/** A text with what is wrong with its choice. */
export interface Verdict {
  text: LaunchedText;
  /** Empty if nothing is. */
  problems: readonly string[];
  /** Whether the tool could be asked what it would rent. */
  isAsked: boolean;
}

/** The verdicts on the results of a tool. @throws Error if an result is missing. */
export function verdicts(
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
export function report(all: readonly Verdict[]): string {
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
export function isGpu(name: string, { gpu }: LaunchedText["offer"], plain?: string): boolean {
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
export function placeOf({ offer }: Pick<LaunchedText, "offer">): string | undefined {
  const [region = ""] = offer.region.split("/");
  return region === "unknown" ? undefined : region.replace(/^([a-z]+-[a-z]+\d+)-[a-z]$/, "$1");
}

/** What is wrong with the terms that a tool chooses. */
export function termsProblems(text: LaunchedText, chosen: Chosen): string[] {
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
export function argumentProblems(text: LaunchedText, read: Readonly<Record<string, unknown>>): string[] {
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
export function isListedIn(machines: ReadonlySet<string>, { text, offer, isSpot }: LaunchedText): boolean {
  const [, place = ""] = /infra: "?([^"\n]+)/.exec(text) ?? [];
  const [, type = ""] = /instance_type: "?([^"\n]+?)"?\n/.exec(text) ?? [];
  const [cloud = "", region = ""] = place.split("/");
  return OWN_NAMES.has(providerKey(offer.provider.name)) || machines.has([cloud, type, region, isSpot].join());
}
