import { findGpuModel } from "../gpu/resolve-gpu.js";
import { launchCeiling, type Ceiling } from "./launch-ceiling.js";
import { addedVolumeGb, launchPlace, volumeText } from "./launch-facts.js";
import {
  comment,
  launchText,
  yamlScalar,
  type LaunchChoice,
  type LaunchedListing,
  type LaunchText,
} from "./launch-text.js";
import { toolMachine, type ToolMachine } from "./tool-machine.js";

// The dstack fleet that launches listings. Without a name that is proven to be dstack's there is none.

const DSTACK_SOURCE = { title: "dstack, fleet YAML", url: "https://dstack.ai/docs/reference/dstack.yml/fleet/" };

/** Without its options, dstack takes hosts of Vast that are verified and at least this reliable. */
const VAST_MIN_RELIABILITY = 0.9;

/** What a fleet states of one listing. */
export interface FleetPart {
  listing: LaunchedListing;
  choice: LaunchChoice;
  machine: ToolMachine;
  /** dstack's region; undefined if the machine's name says where it is, or if the place is unknown. */
  region: string | undefined;
  ceiling: Ceiling | undefined;
  /** Whole GB of a volume beside the included disk, which dstack doesn't add. */
  addedGb: number | undefined;
}

/** What a fleet states of a listing, or one sentence that says why dstack can't rent it. */
export function fleetPart(listing: LaunchedListing, choice: LaunchChoice): FleetPart | string {
  const machine = toolMachine("dstack", listing, choice.isSpot === true);
  if (typeof machine === "string") {
    return machine;
  }
  const isAsk = machine.cloud === "vastai";
  if (isAsk && listing.verified === false) {
    return "dstack rents only from verified hosts of vast.";
  }
  const { region, country } = launchPlace(listing);
  // dstack has other names of the places of asks, and calls RunPod's community cloud by countries.
  const isCommunity = machine.cloud === "runpod" && listing.seller === "host";
  return {
    listing,
    choice,
    machine,
    region: isAsk ? undefined : isCommunity ? country : region,
    ceiling: launchCeiling(listing, choice, machine),
    addedGb: addedVolumeGb(listing, choice),
  };
}

/** One fleet for parts of the same GPU, count, terms and disk: chosen by all, or included in all. Its limit is that of the dearest. */
export function fleetOf(parts: readonly [FleetPart, ...FleetPart[]]): LaunchText {
  const [{ listing, choice }] = parts;
  const { offer } = listing;
  const name = `gpu-${offer.gpu.slug}`.slice(0, 40);
  const { zone } = launchPlace(listing);
  const regions = namesOf(parts.map(({ region }) => region));
  const ceiling = parts
    .flatMap(({ ceiling: one }) => one ?? [])
    .toSorted((a, b) => b.usd - a.usd)
    .at(0);
  const least = Math.min(
    ...parts.flatMap(({ machine, listing: { reliability } }) => (machine.cloud === "vastai" ? (reliability ?? 1) : 1)),
  );
  const { vcpu, ram } = offer.specs;
  const addedGb = Math.max(...parts.map((part) => part.addedGb ?? 0));
  // An included disk is as large as it is.
  const diskGb = addedGb > 0 ? 1 : Math.max(...parts.map(({ choice: one }) => one.diskGb ?? 1));
  const lines = [
    "type: fleet",
    `name: ${name}`,
    `nodes: ${choice.nodes ?? 1}`,
    `backends: ${namesOf(parts.map(({ machine }) => machine.cloud))}`,
    ...(regions === "[]" ? [] : [`regions: ${regions}`]),
    ...(zone === undefined || parts.length > 1 ? [] : [`availability_zones: [${yamlScalar(zone)}]`]),
    `instance_types: ${namesOf(parts.map(({ machine }) => machine.name))}`,
    "resources:",
    `  gpu: {vendor: ${findGpuModel(offer.gpu.slug)?.vendor.toLowerCase() ?? "nvidia"}, count: ${offer.gpuCount}}`,
    // Without these, dstack asks for 2 CPUs, 8 GB of memory and 100 GB of disk.
    ...(vcpu < 2 ? ["  cpu: 1.."] : []),
    ...(ram < 8 ? ["  memory: 0GB.."] : []),
    `  disk: ${diskGb}GB..`,
    ...(addedGb === 0 ? [] : [comment(volumeText("dstack", addedGb))]),
    `spot_policy: ${choice.isSpot === true ? "spot" : "on-demand"}`,
    ...(ceiling === undefined ? [] : [comment(ceiling.reason), `max_price: ${ceiling.usd}`]),
    ...(least < VAST_MIN_RELIABILITY ? [`backend_options: [{type: vastai, min_reliability: ${least}}]`] : []),
    comment("idle_duration: 1h"),
    comment(`To stop it and its costs: dstack fleet delete ${name}`),
  ];
  const title = "dstack fleet: dstack apply -f fleet.dstack.yml";
  return launchText({ kind: "dstack", tool: "dstack", title, text: lines.join("\n"), source: DSTACK_SOURCE });
}

/** Names in a YAML list, each once. */
function namesOf(names: readonly (string | undefined)[]): string {
  const known = names.flatMap((name) => (name === undefined ? [] : [yamlScalar(name)]));
  return `[${[...new Set(known)].join(", ")}]`;
}
