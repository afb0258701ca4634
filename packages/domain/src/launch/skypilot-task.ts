import {
  launchDisk,
  launchRegion,
  launchText,
  yamlScalar,
  type LaunchChoice,
  type LaunchedListing,
  type LaunchText,
} from "./launch-text.js";
import { providerKey } from "../provider/provider-key.js";
import { UNKNOWN_REGION } from "../place/region.js";
import { skyClouds, skyGpus } from "./tool-names.facts.js";

// The SkyPilot task that launches a listing. Without a type that SkyPilot knows there is none.

const SKY_SOURCE = {
  title: "SkyPilot, task YAML",
  url: "https://docs.skypilot.co/en/latest/reference/yaml-spec.html",
};

/** The task; none for a cloud or machine that SkyPilot has no name for. */
export function* skypilotTask(listing: LaunchedListing, choice: LaunchChoice): Generator<LaunchText> {
  const { offer, instanceType, toolNames } = listing;
  const cloud = providerKey(offer.provider.name);
  const hasOwnTypes = skyClouds.get(cloud);
  const type = toolNames.sky ?? (hasOwnTypes === true ? instanceType : null);
  const accelerator = skyGpus.get(offer.gpu.slug);
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
