import { fleetOf, fleetPart } from "./dstack-fleet.js";
import { canState, commandText, type LaunchCommand } from "./launch-command.js";
import { parseModelNeed } from "../text/model-need.js";
import { composeDeployment, type DeploymentChoice } from "../offer/deployment.js";
import { defaultOsImage, imageFits } from "../image/os-image.js";
import { rentUrl } from "./rent-url.js";
import { launchCeiling } from "./launch-ceiling.js";
import { launchFacts, launchPlace } from "./launch-facts.js";
import { launchDisk } from "./launch-disk.js";
import {
  comment,
  launchText,
  type LaunchChoice,
  type LaunchedListing,
  type LaunchText,
  type MissingText,
} from "./launch-text.js";
import { providerKey } from "../provider/provider-key.js";
import { skyPart, skyTask } from "./skypilot-task.js";
import { launchCommands } from "./tool-names.facts.js";
import type { LaunchPlan } from "../offer/listing-schema.js";
import { listingTotal } from "../listing-query/listing-total.js";
import { sampleText } from "../offer/sample.js";
import { asSentence } from "../text/sentence.js";
import { pricedOffer } from "../offer/priced-offer.js";

/** What is chosen of a listing. */
export interface LaunchPlanChoice
  extends Pick<DeploymentChoice, "osImageId" | "diskGb">, Pick<LaunchChoice, "ceilingPercent" | "nodes"> {
  /** A model whose weights the default disk has room for, as in a query: `70b@8`. */
  fits?: string | undefined;
  /** Hours to add the cost of. */
  hours?: number | undefined;
  /** Whether to rent it at its spot price. */
  isSpot?: boolean | undefined;
  /** Date or time of the price: ISO 8601. Texts of the sample say it. */
  pricesAsOf?: string | null | undefined;
}

const NO_PLAN = { deployment: null, total: null, diskGb: null, ceiling: null, notes: [], launch: [], missing: [] };

/**
 * How to rent a choice: the parameters of its deployment, its cost, and the texts to paste. Every door gets its texts here, so
 * that they agree: `diskGb` is the minimum (see `launchDisk`), and the image is the provider's default unless
 * another is chosen, or the first with CUDA where the default has none. With problems, there is no deployment, no cost and no text.
 * @param images Images of the offer's provider.
 */
export function launchPlan(
  listing: LaunchedListing,
  images: DeploymentChoice["images"],
  chosen: LaunchPlanChoice = {},
): LaunchPlan {
  const { osImageId, diskGb: askedGb, fits, hours, isSpot = false, ceilingPercent, nodes = 1, pricesAsOf } = chosen;
  const { instanceType, spot, availability, sample = false } = listing;
  const offer = pricedOffer(listing, isSpot);
  const link = rentUrl(listing.offer, () => listing);
  const { diskGb, note } = launchDisk(offer, { askedGb, fits });
  const composed = composeDeployment({ offer, availability, sample, images, instanceType, osImageId, diskGb });
  const problems: LaunchPlan["problems"] = composed.ok ? [] : composed.problems.map(ofParameter);
  if (isSpot && spot === null) {
    problems.push({ field: "spot", reason: "This offer has no known spot price." });
  }
  const model = fits === undefined ? undefined : parseModelNeed(fits);
  if (model?.ok === false) {
    problems.push({ field: "fits", reason: asSentence(`fits is invalid: ${model.reason}`) });
  }
  if (!composed.ok || problems.length > 0) {
    return { ...NO_PLAN, sample, problems, rentUrl: link };
  }
  const bootable = images.filter((image) => imageFits(image.instanceTypes, instanceType ?? undefined));
  const image = osImageId === undefined ? imageOf(bootable) : bootable.find(({ id }) => id === osImageId);
  const choice = { diskGb, image, isSpot, ceilingPercent, nodes };
  const { texts, missing } = launch(listing, choice);
  return {
    sample,
    deployment: composed.deployment,
    problems,
    total: timesNodes(listingTotal(offer, { disk: diskGb, hours }), nodes),
    diskGb: diskGb ?? null,
    ceiling: launchCeiling(listing, choice)?.usd ?? null,
    notes: [
      ...(note === undefined ? [] : [note]),
      ...(isPlaceOpen(listing) && texts.length > 0 ? ["The source states no place: the texts leave it open."] : []),
    ],
    launch: sample ? texts.map((text) => ofSample(text, pricesAsOf)) : texts,
    missing,
    rentUrl: link,
  };
}

/** A problem of a deployment as one of a launch, whose disk is the parameter `disk`. */
function ofParameter({ field, reason }: LaunchPlan["problems"][number]): LaunchPlan["problems"][number] {
  return field === "disk_gb" ? { field: "disk", reason: reason.replace(/^disk_gb/, "disk") } : { field, reason };
}

/** A text that says first that its price is of the sample. */
export function ofSample(text: LaunchText, pricesAsOf: LaunchPlanChoice["pricesAsOf"]): LaunchText {
  return { ...text, text: `${comment(sampleText(pricesAsOf))}\n${text.text}` };
}

/** Whether neither a place nor an id, which has one, is known. */
function isPlaceOpen(listing: LaunchedListing): boolean {
  const { region, country } = launchPlace(listing);
  return region === undefined && country === undefined && listing.providerOfferId === null;
}

/** The default image, unless another has CUDA and it hasn't. */
function imageOf(images: DeploymentChoice["images"]) {
  const image = defaultOsImage(images);
  return image?.hasCuda === true ? image : (images.find(({ hasCuda }) => hasCuda) ?? image);
}

function timesNodes(total: NonNullable<LaunchPlan["total"]>, nodes: number): NonNullable<LaunchPlan["total"]> {
  const times = (usd: number) => Math.round(usd * 1e6 * nodes) / 1e6;
  return {
    ...total,
    hourly: times(total.hourly),
    ...(total.forHours !== undefined && { forHours: times(total.forHours) }),
  };
}

// The texts with which one launches a listing: a SkyPilot task, a dstack fleet, the provider's own command. Nothing is
// guessed: without a name that is known to be the tool's there is no text, and a sentence that says why.

/** The texts for a choice, and why there is none for a tool. */
export interface Launch {
  /** Texts, at most one for each tool. */
  texts: LaunchText[];
  /** Tools without a text. */
  missing: MissingText[];
}

/** All texts for a choice. */
export function launch(listing: LaunchedListing, choice: LaunchChoice = {}): Launch {
  if (choice.isSpot === true && listing.spot === null) {
    return { texts: [], missing: [] };
  }
  const sky = skyPart(listing, choice);
  const fleet = fleetPart(listing, choice);
  const made = {
    sky: typeof sky === "string" ? sky : skyTask([sky], false),
    dstack: typeof fleet === "string" ? fleet : fleetOf([fleet]),
    cli: commandOf(listing, choice),
  };
  const texts = Object.values(made).filter((text) => typeof text !== "string");
  const missing = Object.entries(made).flatMap(([tool, reason]) =>
    typeof reason === "string" ? [{ tool, reason }] : [],
  );
  return { texts, missing };
}

/** The provider's own command, or why there is none. */
function commandOf(listing: LaunchedListing, choice: LaunchChoice): LaunchText | string {
  const name = listing.offer.provider.name;
  const commands = launchCommands.filter(({ provider }) => provider === providerKey(name));
  if (commands.length === 0) {
    return `No command or request of ${name} is known.`;
  }
  for (const command of commands) {
    const type = typeFor(command, listing);
    if (type !== undefined && (choice.isSpot !== true || canState("spot", command))) {
      const { tool, title, source } = command;
      const text = commandText(command, launchFacts(listing, choice, type));
      return launchText({ kind: "cli", tool, title, text, source });
    }
  }
  const hasType = commands.some((command) => typeFor(command, listing) !== undefined);
  if (hasType) {
    return `${commands[0]?.title} has no documented way to ask for spot terms.`;
  }
  return commands.some(({ takes }) => takes !== undefined)
    ? "The id of the offer isn't known: it lives only as long as the offer."
    : "What to ask the provider for isn't known.";
}

/** What the command takes as the machine; undefined if it isn't for this listing, or if that is unknown. */
function typeFor(command: LaunchCommand, listing: LaunchedListing): string | undefined {
  const type = listing[command.takes ?? "instanceType"] ?? "";
  return type !== "" && (command.types === undefined || command.types.test(type)) ? type : undefined;
}
