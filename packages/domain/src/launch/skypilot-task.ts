import { findGpuModel } from "../gpu/resolve-gpu.js";
import { launchCeiling } from "./launch-ceiling.js";
import { addedVolumeGb, launchPlace, volumeText } from "./launch-facts.js";
import {
  comment,
  launchText,
  yamlScalar,
  type LaunchChoice,
  type LaunchedListing,
  type LaunchText,
} from "./launch-text.js";
import { providerKey } from "../provider/provider-key.js";
import { toolMachine, type ToolMachine } from "./tool-machine.js";

// The SkyPilot task that launches listings. Without a name that is proven to be SkyPilot's there is none.

const SKY_SOURCE = {
  title: "SkyPilot, task YAML",
  url: "https://docs.skypilot.co/en/latest/reference/yaml-spec.html",
};

/** What a task states of one listing. */
export interface SkyPart {
  listing: LaunchedListing;
  choice: LaunchChoice;
  /** The lines of its resources. */
  resources: string;
}

/** The task that takes the first of some listings that can be had, in their order; or the only one, if they aren't a list. */
export function skyTask(parts: readonly SkyPart[], isList: boolean): LaunchText {
  const [{ slug } = { slug: "gpu" }] = parts.map(({ listing }) => listing.offer.gpu);
  const nodes = parts[0]?.choice.nodes ?? 1;
  const name = `gpu-${slug}`;
  const lines = [
    "resources:",
    ...(isList ? ["  ordered:"] : []),
    ...parts.map(({ resources }) =>
      isList ? `    - ${resources.replaceAll("\n", "\n      ")}` : `  ${resources.replaceAll("\n", "\n  ")}`,
    ),
    ...(nodes > 1 ? [`num_nodes: ${nodes}`] : []),
    `run: ${findGpuModel(slug)?.vendor === "AMD" ? "rocm-smi" : "nvidia-smi"}`,
    comment(`To stop it and its costs: sky down ${name}`),
  ];
  const title = `SkyPilot task: sky launch -c ${name} task.yaml`;
  return launchText({ kind: "sky", tool: "sky", title, text: lines.join("\n"), source: SKY_SOURCE });
}

/** What a task states of a listing, or one sentence that says why SkyPilot can't rent it. */
export function skyPart(listing: LaunchedListing, choice: LaunchChoice): SkyPart | string {
  const isSpot = choice.isSpot === true;
  const machine = toolMachine("sky", listing, isSpot);
  if (typeof machine === "string") {
    return machine;
  }
  const place = skyPlace(listing);
  if (place.some((part) => part.includes("/") || part === "*")) {
    return "SkyPilot has no way to write the name of this region.";
  }
  const image = skyImage(listing, choice);
  const resources = [
    `infra: ${yamlScalar([machine.cloud, ...place].join("/"))}`,
    `instance_type: ${yamlScalar(machine.name)}`,
    ...(machine.accelerator === undefined
      ? []
      : [`accelerators: ${yamlScalar(`${machine.accelerator}:${listing.offer.gpuCount}`)}`]),
    ...skyDisk(listing, choice, machine.diskAdds),
    `use_spot: ${isSpot}`,
    ...(image === undefined ? [] : [`image_id: ${yamlScalar(image)}`]),
    ...skyCeiling(listing, choice, machine),
    comment("autostop: {idle_minutes: 60, down: true}"),
  ];
  return { listing, choice, resources: resources.join("\n") };
}

/** The disk; beside an included one, the volume that SkyPilot adds, or why it doesn't. */
function skyDisk(listing: LaunchedListing, choice: LaunchChoice, diskAdds: boolean): string[] {
  const addedGb = addedVolumeGb(listing, choice);
  if (diskAdds) {
    const gb = addedGb ?? choice.diskGb;
    return gb === undefined ? [comment("SkyPilot adds a volume of 256 GB, which costs extra.")] : [`disk_size: ${gb}`];
  }
  if (addedGb !== undefined) {
    return [comment(volumeText("SkyPilot", addedGb))];
  }
  return choice.diskGb === undefined ? [] : [`disk_size: ${choice.diskGb}`];
}

/** The limit of the price, unless SkyPilot's catalog is known to be above it, in which case it would find nothing. */
function skyCeiling(
  listing: LaunchedListing,
  choice: LaunchChoice,
  { cloud, catalogPrice = 0 }: ToolMachine,
): string[] {
  const ceiling = launchCeiling(listing, choice);
  if (ceiling === undefined) {
    return [];
  }
  return choice.isSpot !== true && catalogPrice > ceiling.usd
    ? [comment(`No max_hourly_cost: SkyPilot's own catalog has ${catalogPrice} USD an hour, more than the provider.`)]
    : [
        comment(`${ceiling.reason} SkyPilot compares it with its own catalog, not with the bill,`),
        comment("and only where it chooses the instance type itself."),
        ...(cloud === "gcp" ? [comment("Of Google, it then compares the price of the machine without its GPUs.")] : []),
        ...(choice.isSpot === true ? [comment("At spot prices, it then takes zones above the limit, too.")] : []),
        `max_hourly_cost: ${ceiling.usd}`,
      ];
}

/** SkyPilot's region of a listing, and its zone; empty if they are unknown. */
function skyPlace(listing: LaunchedListing): string[] {
  const { region, zone, country } = launchPlace(listing);
  if (providerKey(listing.offer.provider.name) === "runpod") {
    // Its regions are countries there, and its data centers zones.
    return country === undefined ? [] : [country, ...(region === undefined ? [] : [region])];
  }
  return region === undefined ? [] : [region, ...(zone === undefined ? [] : [zone])];
}

/**
 * The image as SkyPilot takes it: the id of an AMI, Azure's URN, or a Docker image of a container. It has no form for
 * others, such as families and parameters that stand for the newest image; they are left out.
 */
function skyImage({ offer }: LaunchedListing, { image }: LaunchChoice): string | undefined {
  if (image === undefined) {
    return undefined;
  }
  if (offer.deploymentType === "container") {
    return `docker:${image.id}`;
  }
  const provider = providerKey(offer.provider.name);
  const isTaken =
    (provider === "aws" && image.id.startsWith("ami-")) || (provider === "azure" && image.id.split(":").length === 4);
  return isTaken ? image.id : undefined;
}
