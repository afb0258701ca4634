import {
  launchDisk,
  launchRegion,
  launchText,
  type LaunchChoice,
  type LaunchedListing,
  type LaunchText,
} from "./launch-text.js";
import { providerKey } from "../provider/provider-key.js";
import { UNKNOWN_REGION } from "../place/region.js";
import { yamlScalar } from "../text/yaml-scalar.js";

// The SkyPilot task that launches a listing. Without a type that SkyPilot knows there is none.

/**
 * Clouds of SkyPilot, and whether their instance types are those of the cloud. The others have names that only SkyPilot
 * uses, which its catalogs state. Source: sky/skylet/constants.py (ALL_CLOUDS).
 */
export const HAS_OWN_TYPES: ReadonlyMap<string, boolean> = new Map(
  Object.entries({
    aws: true,
    azure: true,
    cudo: false,
    do: true,
    fluidstack: false,
    gcp: true,
    hyperbolic: false,
    ibm: true,
    lambda: true,
    mithril: false,
    nebius: false,
    oci: true,
    paperspace: true,
    primeintellect: false,
    runpod: false,
    scp: true,
    seeweb: true,
    shadeform: false,
    vast: false,
    verda: true,
    yotta: false,
  }),
);

/** Accelerators as SkyPilot's catalogs of these clouds call them, by our slugs; others have names that differ by cloud. */
export const SKY_GPUS: ReadonlyMap<string, string> = new Map([
  ["a10", "A10"],
  ["a10g", "A10G"],
  ["a40", "A40"],
  ["a100-pcie-40gb", "A100"],
  ["a100-sxm-40gb", "A100"],
  ["a100-40gb", "A100"],
  ["a100-pcie-80gb", "A100-80GB"],
  ["a100-sxm-80gb", "A100-80GB"],
  ["a100-80gb", "A100-80GB"],
  ["b200", "B200"],
  ["h100-sxm", "H100"],
  ["h100-nvl", "H100"],
  ["h100-pcie", "H100"],
  ["h100", "H100"],
  ["h200-sxm", "H200"],
  ["h200-nvl", "H200"],
  ["h200", "H200"],
  ["l4", "L4"],
  ["l40", "L40"],
  ["l40s", "L40S"],
  ["p4", "P4"],
  ["p100-16gb", "P100"],
  ["p100-pcie-16gb", "P100"],
  ["rtx-3090", "RTX3090"],
  ["rtx-4090", "RTX4090"],
  ["t4", "T4"],
  ["v100-16gb", "V100"],
  ["v100-sxm-16gb", "V100"],
  ["v100-pcie-16gb", "V100"],
]);

const SKY_SOURCE = {
  title: "SkyPilot, task YAML",
  url: "https://docs.skypilot.co/en/latest/reference/yaml-spec.html",
};

/** The task; none for a cloud or machine that SkyPilot has no name for. */
export function* skypilotTask(listing: LaunchedListing, choice: LaunchChoice): Generator<LaunchText> {
  const { offer, instanceType, toolNames } = listing;
  const cloud = providerKey(offer.provider.name);
  const hasOwnTypes = HAS_OWN_TYPES.get(cloud);
  const type = toolNames.sky ?? (hasOwnTypes === true ? instanceType : null);
  const accelerator = SKY_GPUS.get(offer.gpu.slug);
  if (hasOwnTypes === undefined || (type === null && (instanceType === null || accelerator === undefined))) {
    return;
  }
  // Google's N1 machines have their cards beside them.
  const isApart = cloud === "gcp" && type?.startsWith("n1-") === true;
  if (isApart && accelerator === undefined) {
    return;
  }
  const diskGb = launchDisk(listing, choice);
  const image = skyImage(listing, choice);
  const lines = [
    "resources:",
    `  infra: ${yamlScalar([cloud, ...skyPlace(listing)].join("/"))}`,
    ...(type === null ? [] : [`  instance_type: ${yamlScalar(type)}`]),
    ...(type === null || isApart ? [`  accelerators: ${yamlScalar(`${accelerator}:${offer.gpuCount}`)}`] : []),
    ...(diskGb === undefined ? [] : [`  disk_size: ${diskGb}`]),
    `  use_spot: ${choice.isSpot === true}`,
    ...(image === undefined ? [] : [`  image_id: ${yamlScalar(image)}`]),
    "run: nvidia-smi",
  ];
  yield launchText("sky", "sky", "SkyPilot task: sky launch task.yaml", lines.join("\n"), SKY_SOURCE);
}

/** SkyPilot's region of a listing, and its zone; empty if they are unknown, or if SkyPilot may call them otherwise. */
function skyPlace({ offer }: LaunchedListing): string[] {
  const region = launchRegion({ offer });
  if (providerKey(offer.provider.name) === "runpod") {
    // Its regions are countries there, and its data centers zones.
    const { countryCode } = offer.regionInfo;
    return countryCode === UNKNOWN_REGION.countryCode ? [] : [countryCode, ...(region === undefined ? [] : [region])];
  }
  return region !== undefined && /^[\w.-]+$/.test(region) ? [region] : [];
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
