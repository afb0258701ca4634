import { launchPlace } from "./launch-facts.js";
import type { LaunchedListing } from "./launch-text.js";
import { providerKey } from "../provider/provider-key.js";
import { toolClouds, toolMachines } from "./tool-names.facts.js";

const TOOLS = { sky: "SkyPilot", dstack: "dstack" } as const;
/** Key of a tool that rents from many clouds. */
export type CloudTool = keyof typeof TOOLS;

/** A machine as a tool names it. */
export interface ToolMachine {
  /** The tool's name of the cloud. */
  cloud: string;
  /** The tool's name of the machine. */
  name: string;
  /** The tool's name of its GPU, if it is stated beside the machine. */
  accelerator: string | undefined;
  /** USD per hour of the machine in the tool's catalog, where that was seen above the provider's price. */
  catalogPrice: number | undefined;
  /** Whether the prices that the tool compares include the disk. */
  isDiskPriced: boolean;
  /** Whether the tool's disk is a volume beside the included one. */
  diskAdds: boolean;
}

/** A machine as a tool names it, or one sentence that says why it isn't known. The facts are those of facts/tool-*.csv. */
export function toolMachine(tool: CloudTool, listing: LaunchedListing, isSpot: boolean): ToolMachine | string {
  const { offer, instanceType, toolNames } = listing;
  const title = TOOLS[tool];
  const provider = offer.provider.name;
  const key = `${tool} ${providerKey(provider)}`;
  const cloud = toolClouds.get(key);
  if (cloud === undefined) {
    return `${title} doesn't support ${provider}.`;
  }
  const { region, zone, country } = launchPlace(listing);
  const isRunpod = cloud.cloud === "runpod";
  // A Local Zone isn't its region, and RunPod's community cloud has countries in place of data centers.
  const isLocalZone = cloud.cloud === "aws" && zone?.startsWith(`${region}-`) === true;
  const place = (isLocalZone ? zone : region) ?? (isRunpod ? country : undefined);
  const seller = listing.seller ?? (isRunpod && region !== undefined ? "partner" : null);
  if (place !== undefined && cloud.regions?.test(place) === false) {
    return `${title} doesn't list ${provider} in ${place}.`;
  }
  const row = toolMachines
    .get(key)
    ?.find(
      ({ types, gpus, seller: only = seller, maxGpus = offer.gpuCount }) =>
        (types === undefined || types.test(instanceType ?? "")) &&
        (gpus === undefined || gpus.includes(offer.gpu.slug)) &&
        only === seller &&
        offer.gpuCount <= maxGpus,
    );
  const name = toolNames[tool] ?? (row === undefined ? undefined : nameOf(row, listing));
  if (name === undefined) {
    return instanceType === null
      ? `What ${title} calls this machine isn't known.`
      : `${title} doesn't offer ${instanceType} of ${provider}.`;
  }
  if (isSpot && (cloud.spot === undefined || row?.spot === "no")) {
    return `${title} rents no spot instances of this machine.`;
  }
  return {
    cloud: cloud.cloud,
    name,
    accelerator: row?.accelerator,
    catalogPrice: row?.usdPerGpu === undefined ? undefined : row.usdPerGpu * offer.gpuCount,
    isDiskPriced: cloud.hasDisk !== undefined,
    diskAdds: cloud.diskAdds !== undefined,
  };
}

/** The name that a row makes; undefined if it needs an id that isn't stated. */
function nameOf(
  { types, name }: { types?: RegExp; name: string },
  { instanceType, providerOfferId, offer }: LaunchedListing,
): string | undefined {
  if (name === "{id}") {
    return providerOfferId ?? undefined;
  }
  const made = types === undefined ? name : (instanceType ?? "").replace(types, name);
  return made.replace("{n}", String(offer.gpuCount));
}
