import { fleetOf, fleetPart } from "./dstack-fleet.js";
import { canState, commandText, type LaunchCommand } from "./launch-command.js";
import { launchFacts } from "./launch-facts.js";
import { REQUEST_COMMANDS } from "./launch-requests.js";
import {
  launchText,
  type LaunchChoice,
  type LaunchedListing,
  type LaunchText,
  type MissingText,
} from "./launch-text.js";
import { TOOL_COMMANDS } from "./launch-tools.js";
import { providerKey } from "../provider/provider-key.js";
import { skyPart, skyTask } from "./skypilot-task.js";
import { launchPrograms } from "./tool-names.facts.js";

// The texts with which one launches a listing: a SkyPilot task, a dstack fleet, the provider's own command. Nothing is
// guessed: without a name that is known to be the tool's there is no text, and a sentence that says why.

const COMMANDS: Readonly<Record<(typeof launchPrograms)[number]["name"], LaunchCommand>> = {
  ...REQUEST_COMMANDS,
  ...TOOL_COMMANDS,
};

/** Every command with its program; a provider may have several, each for some of its types. */
export const LAUNCH_COMMANDS = launchPrograms.map((program) => Object.assign({}, program, COMMANDS[program.name]));

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
  const commands = LAUNCH_COMMANDS.filter(({ provider }) => provider === providerKey(name));
  if (commands.length === 0) {
    return `${name} documents no command or request to everybody.`;
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
