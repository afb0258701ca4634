import { findGpuModel } from "../gpu/gpu.js";
import { launchCeiling } from "./launch-ceiling.js";
import { launchPlace } from "./launch-place.js";
import {
  comment,
  launchText,
  yamlScalar,
  type LaunchChoice,
  type LaunchedListing,
  type LaunchText,
} from "./launch-text.js";
import { providerKey } from "../provider/provider-key.js";
import { toolMachine } from "./tool-machine.js";

// The SkyPilot task that launches listings. Without a name that is proven to be SkyPilot's there is none.

const SKY_SOURCE = {
  title: "SkyPilot, task YAML",
  url: "https://docs.skypilot.co/en/latest/reference/yaml-spec.html",
};

/** Lines of `resources` for a listing, or one sentence that says why there are none. */
type SkyResources = readonly string[] | string;

/** The task of a listing, or one sentence that says why there is none. */
export function skypilotTask(listing: LaunchedListing, choice: LaunchChoice): LaunchText | string {
  const resources = skyResources(listing, choice);
  return typeof resources === "string" ? resources : taskOf([listing], choice, ["resources:", ...indented(resources)]);
}

/**
 * The task that takes the first of `top` listings that can be had, in their order, and the listings in it: those without a
 * name are left out. Undefined if there are none.
 */
export function skypilotPlan(
  listings: readonly LaunchedListing[],
  choices: readonly LaunchChoice[],
  top: number,
): { text: LaunchText; listings: LaunchedListing[] } | undefined {
  // Zones that SkyPilot doesn't name are one place for it.
  const all = new Map<string, { listing: LaunchedListing; resources: readonly string[] }>();
  for (const [index, listing] of listings.entries()) {
    const resources = skyResources(listing, choices[index] ?? {});
    if (typeof resources !== "string" && !all.has(resources.join("\n"))) {
      all.set(resources.join("\n"), { listing, resources });
    }
  }
  const found = [...all.values()].slice(0, top);
  const lines = found.flatMap(({ resources: [first = "", ...rest] }) => [
    `    - ${first}`,
    ...rest.map((line) => `      ${line}`),
  ]);
  const taken = found.map(({ listing }) => listing);
  return found.length === 0
    ? undefined
    : { text: taskOf(taken, choices[0] ?? {}, ["resources:", "  ordered:", ...lines]), listings: taken };
}

function taskOf(
  listings: readonly LaunchedListing[],
  { nodes = 1 }: LaunchChoice,
  resources: readonly string[],
): LaunchText {
  const { slug } = listings[0]?.offer.gpu ?? { slug: "gpu" };
  const name = `gpu-${slug}`;
  const lines = [
    ...resources,
    ...(nodes > 1 ? [`num_nodes: ${nodes}`] : []),
    `run: ${findGpuModel(slug)?.vendor === "AMD" ? "rocm-smi" : "nvidia-smi"}`,
    comment(`To stop it and its costs: sky down ${name}`),
  ];
  const title = `SkyPilot task: sky launch -c ${name} task.yaml`;
  return launchText({ kind: "sky", tool: "sky", title, text: lines.join("\n"), source: SKY_SOURCE });
}

function skyResources(listing: LaunchedListing, choice: LaunchChoice): SkyResources {
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
  return [
    `infra: ${yamlScalar([machine.cloud, ...place].join("/"))}`,
    `instance_type: ${yamlScalar(machine.name)}`,
    ...(machine.accelerator === undefined
      ? []
      : [`accelerators: ${yamlScalar(`${machine.accelerator}:${listing.offer.gpuCount}`)}`]),
    ...(choice.diskGb === undefined ? [] : [`disk_size: ${choice.diskGb}`]),
    `use_spot: ${isSpot}`,
    ...(image === undefined ? [] : [`image_id: ${yamlScalar(image)}`]),
    ...skyCeiling(listing, choice, isSpot ? undefined : machine.catalogPrice),
    comment("autostop: {idle_minutes: 60, down: true}"),
  ];
}

/** The limit of the price, unless SkyPilot's catalog is known to be above it, in which case it would find nothing. */
function skyCeiling(listing: LaunchedListing, choice: LaunchChoice, catalogPrice = 0): string[] {
  const ceiling = launchCeiling(listing, choice);
  if (ceiling === undefined) {
    return [];
  }
  return catalogPrice > ceiling.usd
    ? [comment(`No max_hourly_cost: SkyPilot's own catalog has ${catalogPrice} USD an hour, more than the provider.`)]
    : [
        comment(`${ceiling.reason} SkyPilot compares it with its own catalog, not with the bill,`),
        comment("and only where it chooses the instance type itself."),
        `max_hourly_cost: ${ceiling.usd}`,
      ];
}

const indented = (lines: readonly string[]): string[] => lines.map((line) => `  ${line}`);

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
