import type { LaunchPlan } from "@gpu-offers/domain";
import { printable } from "@gpu-offers/list";
import { resultLine, type PickResult } from "./result.js";

// Launch texts as they are printed, shown and copied.

type Launch = LaunchPlan["launch"][number];

/** A text that can be pasted as a whole: what it is and what to replace are comments. */
export function launchTextOf({ title, text, placeholders, source: { url } }: Launch): string {
  const replace = placeholders.length === 0 ? "" : `# Replace ${placeholders.map((name) => `<${name}>`).join(", ")}.\n`;
  return `# ${title} (${url})\n${replace}${text.trimEnd()}\n`;
}

/** The text of the chosen tool, or else the first one; undefined if there is none. */
export function chosenLaunch(launch: readonly Launch[], kind: string | undefined): Launch | undefined {
  return launch.find((text) => text.kind === kind) ?? launch[0];
}

/** What a picker prints in a terminal: the text that rents the choice, or where one rents it. */
export function pickedText(result: PickResult): string {
  const { launch, launchKind, listing } = result;
  const text = chosenLaunch(launch, launchKind);
  if (text !== undefined) {
    return launchTextOf(text);
  }
  return listing.rentUrl === null
    ? resultLine(result)
    : `# No tool is known for ${printable(result.offer.provider.name)}. Rent it at:\n${listing.rentUrl}\n`;
}
