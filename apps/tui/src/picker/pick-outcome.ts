import { EXIT } from "../exit-codes.js";
import { summaryParts } from "../output/offer-words.js";
import { pickedText } from "../output/launch-output.js";
import { resultLine, type PickResult } from "../output/result.js";

/** Outcome of a picker. */
export interface PickOutcome {
  exitCode: number;
  /** Text for standard output. */
  output: string;
  /** What was chosen, for standard error. */
  message?: string;
}

/**
 * The outcome of a session: of its result, or of none if it was canceled.
 * @param isText Whether it ends in the text that rents the choice, and not in JSON.
 */
export function endedOutcome(result: PickResult | undefined, isText: boolean): PickOutcome {
  if (result === undefined) {
    return { exitCode: EXIT.canceled, output: "" };
  }
  const { offer, deployment } = result;
  const words = summaryParts(offer, deployment.disk_gb, undefined).map(({ text }) => text);
  return {
    exitCode: EXIT.ok,
    output: isText ? pickedText(result) : resultLine(result),
    message: `chosen: ${words.join(", ")}.`,
  };
}
