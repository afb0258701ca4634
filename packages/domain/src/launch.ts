import type { FilteredListing } from "./listing-filter.js";
import type { ListingFacts } from "./listing-schema.js";
import { findGpuModel } from "./gpu.js";
import { LAUNCHERS, type LaunchFacts, type Launcher } from "./launchers.js";
import type { OsImage } from "./os-image-schema.js";
import { providerKey } from "./provider-key.js";
import { isDiskFixed, isDiskUnknown } from "./storage.js";
import { yamlScalar } from "./yaml-scalar.js";

// The text with which one launches a listing: a SkyPilot task, a dstack fleet, the provider's own command. Nothing is
// guessed: without a known type there is no text, and what isn't known of the choice is a placeholder in angle brackets.

/** Tools that a text may be for: `cli` is the provider's own command line, or its API. */
export const LAUNCH_KINDS = ["sky", "dstack", "cli"] as const;

/** One of {@link LAUNCH_KINDS}. */
export type LaunchKind = (typeof LAUNCH_KINDS)[number];

/** How a listing is launched. */
export interface LaunchText {
  /** `sky`, `dstack` or `cli`. */
  kind: LaunchKind;
  /** Name of the program: `sky`, `dstack`, `aws`, `curl`. */
  tool: string;
  /** What the text is, for a heading. */
  title: string;
  /** The file or the command. */
  text: string;
  /** What has to be replaced in the text, in order: `key-pair`. */
  placeholders: string[];
  /** The document that the form is from. */
  source: {
    /** Title of the document. */
    title: string;
    /** Address of the document. */
    url: string;
  };
}

/** What is chosen of a listing. */
export interface LaunchChoice {
  /** Whole GB; ignored if the disk is fixed or unknown. */
  diskGb?: number | undefined;
  /** The chosen image. */
  image?: Pick<OsImage, "id" | "displayName"> | undefined;
  /** Whether to ask for spot terms. Tools that can't have no text then. */
  isSpot?: boolean | undefined;
}

/** What is needed of a listing. */
export type LaunchedListing = Pick<FilteredListing, "offer"> &
  Pick<ListingFacts, "instanceType" | "providerOfferId" | "seller" | "toolNames" | "spot">;

/** All texts for a choice; empty if it isn't known what to ask the provider for. */
export function launch(listing: LaunchedListing, choice: LaunchChoice = {}): LaunchText[] {
  if (choice.isSpot === true && listing.spot === null) {
    return [];
  }
  return [...skyText(listing, choice), ...dstackText(listing, choice), ...commandTexts(listing, choice)];
}

/** The region without its zone, whose id may mean another zone in another account. */
function regionOf({ offer }: LaunchedListing): string {
  return offer.region.split("/")[0] ?? offer.region;
}

function diskOf({ offer }: LaunchedListing, { diskGb }: LaunchChoice): number | undefined {
  return isDiskFixed(offer) || isDiskUnknown(offer) ? undefined : diskGb;
}

/**
 * Clouds of SkyPilot by our key, and whether their instance types are those of the cloud. The others have names that only
 * SkyPilot uses, which its catalogs state. Source: sky/skylet/constants.py (ALL_CLOUDS).
 */
const SKY_CLOUDS: ReadonlyMap<string, { cloud: string; ownTypes: boolean }> = new Map(
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
  }).map(([cloud, ownTypes]) => [cloud, { cloud, ownTypes }]),
);

/** Accelerators as SkyPilot's catalogs of these clouds call them, by our slugs; others have names that differ by cloud. */
const SKY_GPUS: ReadonlyMap<string, string> = new Map([
  ["a10", "A10"],
  ["a10g", "A10G"],
  ["a40", "A40"],
  ["a100-pcie-40gb", "A100"],
  ["a100-sxm-40gb", "A100"],
  ["a100-40gb", "A100"],
  ["a100-pcie-80gb", "A100-80GB"],
  ["a100-sxm-80gb", "A100-80GB"],
  ["a100-80gb", "A100-80GB"],
  ["b200-sxm", "B200"],
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

function* skyText(listing: LaunchedListing, choice: LaunchChoice): Generator<LaunchText> {
  const { offer, instanceType, toolNames } = listing;
  const known = SKY_CLOUDS.get(providerKey(offer.provider.name));
  const type = toolNames.sky ?? (known?.ownTypes === true ? instanceType : null);
  const accelerator = SKY_GPUS.get(offer.gpu.slug);
  if (known === undefined || (type === null && (instanceType === null || accelerator === undefined))) {
    return;
  }
  // Google's N1 machines have their cards beside them.
  const isApart = known.cloud === "gcp" && type?.startsWith("n1-") === true;
  if (isApart && accelerator === undefined) {
    return;
  }
  const region = regionOf(listing);
  const diskGb = diskOf(listing, choice);
  const image = skyImage(listing, choice);
  const lines = [
    "resources:",
    `  infra: ${yamlScalar(/^[\w.-]+$/.test(region) ? `${known.cloud}/${region}` : known.cloud)}`,
    ...(type === null ? [] : [`  instance_type: ${yamlScalar(type)}`]),
    ...(type === null || isApart ? [`  accelerators: ${yamlScalar(`${accelerator}:${offer.gpuCount}`)}`] : []),
    ...(diskGb === undefined ? [] : [`  disk_size: ${diskGb}`]),
    `  use_spot: ${choice.isSpot === true}`,
    ...(image === undefined ? [] : [`  image_id: ${yamlScalar(image)}`]),
    "run: nvidia-smi",
  ];
  yield finish("sky", "sky", "SkyPilot task: sky launch task.yaml", lines.join("\n"), SKY_SOURCE);
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

/**
 * Backends of dstack by our key. `ask` takes the ask ids of a marketplace as instance types. Source: BackendType of
 * dstack's core/models/backends/base.py.
 */
const DSTACK_BACKENDS: ReadonlyMap<string, { backend: string; takes: "instanceType" | "providerOfferId" }> = new Map(
  Object.entries({
    aws: "aws",
    azure: "azure",
    cloudrift: "cloudrift",
    crusoe: "crusoe",
    do: "digitalocean",
    gcp: "gcp",
    hotaisle: "hotaisle",
    jarvislabs: "jarvislabs",
    lambda: "lambda",
    nebius: "nebius",
    oci: "oci",
    runpod: "runpod",
    vast: "vastai",
    verda: "verda",
    vultr: "vultr",
  }).map(([key, backend]) => [key, { backend, takes: key === "vast" ? "providerOfferId" : "instanceType" }]),
);

const DSTACK_SOURCE = { title: "dstack, fleet YAML", url: "https://dstack.ai/docs/reference/dstack.yml/fleet/" };

function* dstackText(listing: LaunchedListing, choice: LaunchChoice): Generator<LaunchText> {
  const { offer, toolNames } = listing;
  const known = DSTACK_BACKENDS.get(providerKey(offer.provider.name));
  const type = known === undefined ? null : (toolNames.dstack ?? listing[known.takes]);
  if (known === undefined || type === null) {
    return;
  }
  const region = regionOf(listing);
  const diskGb = diskOf(listing, choice);
  const lines = [
    "type: fleet",
    `name: ${fleetName(offer.gpu.slug)}`,
    "nodes: 1",
    `backends: [${yamlScalar(known.backend)}]`,
    ...(known.backend === "vastai" ? [] : [`regions: [${yamlScalar(region)}]`]),
    `instance_types: [${yamlScalar(type)}]`,
    "resources:",
    `  gpu: {vendor: ${findGpuModel(offer.gpu.slug)?.vendor.toLowerCase() ?? "nvidia"}, count: ${offer.gpuCount}}`,
    ...(diskGb === undefined ? [] : [`  disk: ${diskGb}GB..`]),
    `spot_policy: ${choice.isSpot === true ? "spot" : "on-demand"}`,
  ];
  yield finish("dstack", "dstack", "dstack fleet: dstack apply -f fleet.dstack.yml", lines.join("\n"), DSTACK_SOURCE);
}

/** dstack's names are of lower-case letters, digits and hyphens. */
function fleetName(slug: string): string {
  return `gpu-${slug}`.slice(0, 40);
}

function* commandTexts(listing: LaunchedListing, choice: LaunchChoice): Generator<LaunchText> {
  const { offer, seller, spot } = listing;
  for (const launcher of LAUNCHERS) {
    const type = findType(launcher, listing);
    if (type === undefined || (choice.isSpot === true && !launcher.hasSpot)) {
      continue;
    }
    const isSpot = choice.isSpot === true;
    const facts: LaunchFacts = {
      type,
      region: regionOf(listing),
      gpuCount: offer.gpuCount,
      imageId: choice.image?.id,
      imageName: choice.image?.displayName,
      diskGb: diskOf(listing, choice),
      isSpot,
      bid: isSpot && spot?.kind === "bid" ? spot.priceHourly : undefined,
      seller,
    };
    yield finish("cli", launcher.tool, launcher.title, launcher.text(facts), launcher.source);
  }
}

/** What the launcher takes as the machine; undefined if it isn't for this listing, or if that is unknown. */
function findType(launcher: Launcher, listing: LaunchedListing): string | undefined {
  const type = listing[launcher.takes] ?? "";
  const isMeant = launcher.provider === providerKey(listing.offer.provider.name) && type !== "";
  return isMeant && type.startsWith(launcher.prefix ?? "") && !isSoldApart(launcher, type) ? type : undefined;
}

/** The command for Google's N1 machines would need the name of the card, which is beside the machine. */
function isSoldApart({ provider }: Launcher, type: string): boolean {
  return provider === "gcp" && type.startsWith("n1-");
}

function finish(kind: LaunchKind, tool: string, title: string, text: string, source: LaunchText["source"]): LaunchText {
  const placeholders = [...text.matchAll(/<([^<>\n]+)>/g)].map(([, name = ""]) => name);
  return { kind, tool, title, text: `${text}\n`, placeholders: [...new Set(placeholders)], source };
}
