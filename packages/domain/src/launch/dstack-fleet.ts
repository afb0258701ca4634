import { findGpuModel } from "../gpu/gpu.js";
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
import { dstackBackends } from "./tool-names.facts.js";

// The dstack fleet that launches a listing. Without a type that dstack knows there is none.

const DSTACK_SOURCE = { title: "dstack, fleet YAML", url: "https://dstack.ai/docs/reference/dstack.yml/fleet/" };

/** The fleet; none for a provider that dstack has no backend for, or if the type is unknown. */
export function* dstackFleet(listing: LaunchedListing, choice: LaunchChoice): Generator<LaunchText> {
  const { offer, toolNames } = listing;
  const backend = dstackBackends.get(providerKey(offer.provider.name));
  // dstack takes the ask ids of Vast's hosts as instance types, and has other names of their places.
  const isVast = backend === "vastai";
  const type = toolNames.dstack ?? (isVast ? listing.providerOfferId : listing.instanceType);
  if (backend === undefined || type === null) {
    return;
  }
  const region = isVast ? undefined : launchRegion(listing);
  const diskGb = launchDisk(listing, choice);
  const lines = [
    "type: fleet",
    `name: ${fleetName(offer.gpu.slug)}`,
    "nodes: 1",
    `backends: [${yamlScalar(backend)}]`,
    ...(region === undefined ? [] : [`regions: [${yamlScalar(region)}]`]),
    `instance_types: [${yamlScalar(type)}]`,
    "resources:",
    `  gpu: {vendor: ${findGpuModel(offer.gpu.slug)?.vendor.toLowerCase() ?? "nvidia"}, count: ${offer.gpuCount}}`,
    ...(diskGb === undefined ? [] : [`  disk: ${diskGb}GB..`]),
    `spot_policy: ${choice.isSpot === true ? "spot" : "on-demand"}`,
  ];
  yield launchText(
    "dstack",
    "dstack",
    "dstack fleet: dstack apply -f fleet.dstack.yml",
    lines.join("\n"),
    DSTACK_SOURCE,
  );
}

/** dstack's names are of lower-case letters, digits and hyphens. */
function fleetName(slug: string): string {
  return `gpu-${slug}`.slice(0, 40);
}
