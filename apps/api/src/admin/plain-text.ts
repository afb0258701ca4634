import { InvalidArgumentError } from "commander";
import { plainTextSchema } from "@gpu-offers/domain";

/**
 * A text for people, as it stands in an option: it is printed in tables, which control characters could forge.
 * @throws InvalidArgumentError when it has some, or more than 200 characters.
 */
export function parsePlainText(text: string): string {
  if (!plainTextSchema.safeParse(text).success) {
    throw new InvalidArgumentError("It must have at most 200 characters, and no control characters.");
  }
  return text;
}
