import { dstackFleet } from "./dstack-fleet.js";
import { commandText, type LaunchCommand, type LaunchFacts } from "./launch-command.js";
import { launchCeiling } from "./launch-ceiling.js";
import { LAUNCH_COMMANDS } from "./launch-commands.js";
import { launchPlace } from "./launch-place.js";
import {
  launchText,
  type LaunchChoice,
  type LaunchedListing,
  type LaunchText,
  type MissingText,
} from "./launch-text.js";
import { providerKey } from "../provider/provider-key.js";
import { skypilotTask } from "./skypilot-task.js";
import { storageOf } from "../offer/storage.js";
import { imageForms } from "./tool-names.facts.js";

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
  const made = {
    sky: skypilotTask(listing, choice),
    dstack: dstackFleet(listing, choice),
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
  const commands = LAUNCH_COMMANDS.filter(({ provider }) => provider === providerKey(name));
  if (commands.length === 0) {
    return `${name} documents no command or request to everybody.`;
  }
  for (const command of commands) {
    const type = typeFor(command, listing);
    if (type !== undefined && (choice.isSpot !== true || command.hasSpot === true)) {
      const facts = factsOf(listing, choice, type);
      const text = commandText(command, facts, formOf(listing, choice)?.login);
      return launchText("cli", command.tool ?? "curl", command.title, text, command.source);
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

function factsOf(listing: LaunchedListing, choice: LaunchChoice, type: string): LaunchFacts {
  const { offer, seller, spot, providerOfferId, toolNames } = listing;
  const isSpot = choice.isSpot === true;
  const { includedGb, product } = storageOf({ ...offer, storage: listing.storage });
  const { diskGb, image } = choice;
  return {
    ...launchPlace(listing),
    type,
    offerId: providerOfferId,
    gpuCount: offer.gpuCount,
    gpuSlug: offer.gpu.slug,
    vcpu: offer.specs.vcpu,
    ramGb: offer.specs.ram,
    imageId: image?.id,
    imageName: image?.displayName,
    rootDevice: formOf(listing, choice)?.rootDevice,
    diskGb,
    addedGb: diskGb === undefined ? undefined : diskGb - (includedGb ?? 0),
    diskProduct: product,
    isSpot,
    bid: isSpot && spot?.kind === "bid" ? spot.priceHourly : undefined,
    ceiling: launchCeiling(listing, choice)?.usd,
    nodes: choice.nodes ?? 1,
    seller,
    // A reseller's names in SkyPilot begin with the cloud.
    cloud: toolNames.sky?.includes("_") === true ? toolNames.sky.split("_", 1)[0] : undefined,
  };
}

/** What is known of the image of a choice. */
function formOf({ offer }: LaunchedListing, { image }: LaunchChoice) {
  const forms = imageForms.get(providerKey(offer.provider.name));
  return forms?.find(({ images }) => images === undefined || (image !== undefined && images.test(image.id)));
}
