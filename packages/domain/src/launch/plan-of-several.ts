import { availabilityOf, NOT_SOLD_OUT } from "../offer/availability.js";
import { fleetOf, fleetPart, type FleetPart } from "./dstack-fleet.js";
import { launchDisk } from "./launch-disk.js";
import { ofSample, type LaunchPlanChoice } from "./launch-plan.js";
import type { LaunchChoice, LaunchedListing } from "./launch-text.js";
import type { LaunchPlan } from "../offer/listing-schema.js";
import type { FilteredListing } from "../listing-query/listing-parameter.js";
import type { ListingQuery } from "../listing-query/listing-query-schema.js";
import { pricedOffer } from "../offer/priced-offer.js";
import { skyPart, skyTask } from "./skypilot-task.js";

// A plan instead of an offer: a tool takes the first of several machines that can be had.

/** Maximum number of offers that a plan is chosen from. */
export const MAX_ALIKE = 100;

/** The query for the offers that may stand in for one: of the same GPU, count and terms, cheapest first. */
export function alikeQuery(
  { offer }: Pick<LaunchedListing, "offer">,
  { isSpot, diskGb }: Pick<LaunchPlanChoice, "isSpot" | "diskGb"> = {},
): ListingQuery {
  return {
    gpu: [`=${offer.gpu.slug}`],
    min_gpu_count: offer.gpuCount,
    max_gpu_count: offer.gpuCount,
    availability: NOT_SOLD_OUT,
    verified: "not-false",
    ...(isSpot === true && { spot: "bid" }),
    ...(diskGb !== undefined && { disk: diskGb }),
    sort_by: "total",
    size: MAX_ALIKE,
  };
}

/** Whether one of several matches may stand in for another: it has the same GPU and count, and can be had as well. */
export function isAlike(listing: LaunchedListing, other: Pick<FilteredListing, "offer" | "availability">): boolean {
  const { gpu, gpuCount } = listing.offer;
  const mayBeHad = other.availability !== "sold_out" || availabilityOf(listing) === "sold_out";
  return other.offer.gpu.slug === gpu.slug && other.offer.gpuCount === gpuCount && mayBeHad;
}

/**
 * A plan whose SkyPilot and dstack texts take the first of `top` offers that can be had: the first that each has a name for, in
 * the order of {@link alikeQuery}. SkyPilot tries them in that order; dstack in its own, and combines its lists of backends, regions and types: an
 * offer whose combinations with the others aren't all listed is left out there. The provider's command stays that of the offer.
 * @param found The offers of the query, the planned one among them. Those of the sample are for plans of the sample.
 */
export function planOfTop(
  plan: LaunchPlan,
  found: readonly LaunchedListing[],
  top: number,
  { diskGb: askedGb, fits, isSpot = false, ceilingPercent, nodes, pricesAsOf }: LaunchPlanChoice,
): LaunchPlan {
  if (plan.deployment === null) {
    return plan;
  }
  const alike = found.filter(({ sample = false }) => sample === plan.sample);
  const choices = alike.map((listing): LaunchChoice => {
    const { diskGb } = launchDisk(pricedOffer(listing, isSpot), { askedGb, fits });
    return { diskGb, isSpot, ceilingPercent, nodes };
  });
  const partsOf = <Part extends object>(
    partOf: (listing: LaunchedListing, choice: LaunchChoice) => Part | string,
  ): Part[] =>
    alike.map((listing, index) => partOf(listing, choices[index] ?? {})).filter((part) => typeof part !== "string");
  // Zones that SkyPilot doesn't name are one place for it.
  const skyParts = partsOf(skyPart)
    .filter(({ resources }, index, all) => all.findIndex((one) => one.resources === resources) === index)
    .slice(0, top);
  const [part, ...parts] = combinable(partsOf(fleetPart), top);
  const made = [
    ...(skyParts.length === 0 ? [] : [skyTask(skyParts, true)]),
    ...(part === undefined ? [] : [fleetOf([part, ...parts])]),
  ];
  const names = (of: readonly { listing: LaunchedListing }[]) =>
    of.map(({ listing: { offer } }) => `${offer.provider.name} ${offer.region}`).join(", ");
  return {
    ...plan,
    launch: [
      ...made.map((text) => (plan.sample ? ofSample(text, pricesAsOf) : text)),
      ...plan.launch.filter(({ kind }) => kind === "cli"),
    ],
    notes: [
      ...plan.notes,
      ...(skyParts.length === 0 ? [] : [`SkyPilot tries, in this order: ${names(skyParts)}.`]),
      ...(part === undefined ? [] : [`dstack takes one of: ${names([part, ...parts])}.`]),
    ],
  };
}

/** How a region's name is written: `a-a-9` for `us-east-1`. A region of another cloud that is written otherwise isn't one of its own. */
const shapeOf = (region = ""): string =>
  region
    .replaceAll(/[a-z]+/g, "a")
    .replaceAll(/[A-Z]+/g, "A")
    .replaceAll(/\d+/g, "9");

/** Parts of one fleet, in order, so that every combination of their lists is a listed offer, or isn't sold at all. */
function combinable(parts: readonly FleetPart[], top: number): FleetPart[] {
  const keyOf = ({ machine, region }: Pick<FleetPart, "machine" | "region">) =>
    [machine.cloud, region, machine.name].join("\n");
  const listed = new Set(parts.map(keyOf));
  const chosen: FleetPart[] = [];
  for (const part of parts) {
    // One without a region is anywhere, and never where the others are. Zones are one place for dstack.
    const [first = part] = chosen;
    const isPlaced = chosen.length === 0 || (part.region !== undefined && first.region !== undefined);
    // A fleet states one disk, and an included one is as large as it is.
    const hasOtherDisk = (part.addedGb === undefined) !== (first.addedGb === undefined);
    if (!isPlaced || hasOtherDisk || chosen.length === top || chosen.some((other) => keyOf(other) === keyOf(part))) {
      continue;
    }
    const together = [...chosen, part];
    const isListed = together.every(({ machine, region: own }) =>
      together.every(
        ({ machine: other, region }) =>
          (machine.cloud !== other.cloud && shapeOf(region) !== shapeOf(own)) || listed.has(keyOf({ machine, region })),
      ),
    );
    if (isListed) {
      chosen.push(part);
    }
  }
  return chosen;
}
