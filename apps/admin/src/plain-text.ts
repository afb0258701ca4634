import { InvalidArgumentError } from "commander";
import { plainTextSchema } from "@gpu-offers/domain";

/**
 * Parses a free text option. Texts are printed in tables, which control characters could forge.
 * @throws InvalidArgumentError if it has control characters, or more than 200 characters.
 */
export function parsePlainText(text: string): string {
  if (!plainTextSchema.safeParse(text).success) {
    throw new InvalidArgumentError("It must have no control characters, and 200 characters at most.");
  }
  return text;
}
