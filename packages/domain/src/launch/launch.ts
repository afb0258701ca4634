import { dstackFleet } from "./dstack-fleet.js";
import type { LaunchCommand, LaunchFacts } from "./launch-command.js";
import { LAUNCH_COMMANDS } from "./launch-commands.js";
import {
  launchDisk,
  launchRegion,
  launchText,
  type LaunchChoice,
  type LaunchedListing,
  type LaunchText,
} from "./launch-text.js";
import { providerKey } from "../provider/provider-key.js";
import { skypilotTask } from "./skypilot-task.js";

// The texts with which one launches a listing: a SkyPilot task, a dstack fleet, the provider's own command. Nothing is
// guessed: without a known type there is no text.

/** All texts for a choice; empty if it isn't known what to ask the provider for. */
export function launch(listing: LaunchedListing, choice: LaunchChoice = {}): LaunchText[] {
  if (choice.isSpot === true && listing.spot === null) {
    return [];
  }
  return [...skypilotTask(listing, choice), ...dstackFleet(listing, choice), ...commandTexts(listing, choice)];
}

function* commandTexts(listing: LaunchedListing, choice: LaunchChoice): Generator<LaunchText> {
  const { offer, seller, spot } = listing;
  for (const command of LAUNCH_COMMANDS) {
    const type = findType(command, listing);
    if (type === undefined || (choice.isSpot === true && command.hasSpot !== true)) {
      continue;
    }
    const isSpot = choice.isSpot === true;
    const facts: LaunchFacts = {
      type,
      region: launchRegion(listing),
      gpuCount: offer.gpuCount,
      imageId: choice.image?.id,
      imageName: choice.image?.displayName,
      diskGb: launchDisk(listing, choice),
      isSpot,
      bid: isSpot && spot?.kind === "bid" ? spot.priceHourly : undefined,
      seller,
    };
    yield launchText("cli", command.tool ?? "curl", command.title, command.text(facts), command.source);
  }
}

/** What the command takes as the machine; undefined if it isn't for this listing, or if that is unknown. */
function findType(command: LaunchCommand, listing: LaunchedListing): string | undefined {
  const type = listing[command.takes ?? "instanceType"] ?? "";
  const isMeant = command.provider === providerKey(listing.offer.provider.name) && type !== "";
  return isMeant && type.startsWith(command.prefix ?? "") && !isSoldApart(command, type) ? type : undefined;
}

/** The command for Google's N1 machines would need the name of the card, which is beside the machine. */
function isSoldApart({ provider }: LaunchCommand, type: string): boolean {
  return provider === "gcp" && type.startsWith("n1-");
}
