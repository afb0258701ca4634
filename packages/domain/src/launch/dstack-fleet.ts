import { findGpuModel } from "../gpu/gpu.js";
import {
  launchDisk,
  launchRegion,
  launchText,
  type LaunchChoice,
  type LaunchedListing,
  type LaunchText,
} from "./launch-text.js";
import { providerKey } from "../provider/provider-key.js";
import { yamlScalar } from "../text/yaml-scalar.js";

// The dstack fleet that launches a listing. Without a type that dstack knows there is none.

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

/** The fleet; none for a provider that dstack has no backend for, or if the type is unknown. */
export function* dstackFleet(listing: LaunchedListing, choice: LaunchChoice): Generator<LaunchText> {
  const { offer, toolNames } = listing;
  const known = DSTACK_BACKENDS.get(providerKey(offer.provider.name));
  const type = known === undefined ? null : (toolNames.dstack ?? listing[known.takes]);
  if (known === undefined || type === null) {
    return;
  }
  // dstack calls the places of Vast's hosts otherwise.
  const region = known.backend === "vastai" ? undefined : launchRegion(listing);
  const diskGb = launchDisk(listing, choice);
  const lines = [
    "type: fleet",
    `name: ${fleetName(offer.gpu.slug)}`,
    "nodes: 1",
    `backends: [${yamlScalar(known.backend)}]`,
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
