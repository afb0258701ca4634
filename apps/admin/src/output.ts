import { fstatSync, statSync } from "node:fs";
import { devNull } from "node:os";
import type * as z from "zod";
import { codeOf, reasonOf } from "@gpu-offers/domain";
import { CommandFailure } from "./command-failure.js";
import type { JsonOption } from "./command-usage.js";

/** What a command did before it prints: a sentence, or work to undo it that returns one. */
type Done = string | (() => Promise<string>);

/**
 * Prints the result of a command: as JSON that its schema allows, else as text for people.
 * @param done What was changed; unset for a command that only reads.
 * @throws CommandFailure when the output cannot be written. It has exit code 3 and says what was done, unless nothing was.
 */
export async function print<Schema extends z.ZodType>(
  schema: Schema,
  result: z.input<Schema>,
  options: JsonOption,
  toText: () => string,
  done?: Done,
): Promise<void> {
  const text = options.json === true ? JSON.stringify(schema.parse(result), null, 2) : toText();
  try {
    await write(`${text}\n`);
  } catch (error) {
    if (done === undefined) {
      throw unwritable(error);
    }
    const sentence = typeof done === "string" ? done : await done();
    throw new CommandFailure(`cannot write the output: ${reasonOf(error)}. ${sentence}`, 3);
  }
}

/** Like {@link print}, for a command whose text for people says what was changed. */
export function printDone<Schema extends z.ZodType>(
  schema: Schema,
  result: z.input<Schema>,
  options: JsonOption,
  done: string,
): Promise<void> {
  return print(schema, result, options, () => done, done);
}

/** The failure of a command that changed nothing and whose output cannot be written. */
export function unwritable(error: unknown): CommandFailure {
  // The reader closed the pipe, as `head` does, because it needs no more.
  return codeOf(error) === "EPIPE"
    ? new CommandFailure("", 0)
    : new CommandFailure(`cannot write the output: ${reasonOf(error)}.`);
}

/**
 * Prints a text, such as a script.
 * @throws CommandFailure when the output cannot be written.
 */
export async function printText(text: string): Promise<void> {
  try {
    await write(text);
  } catch (error) {
    throw unwritable(error);
  }
}

/** Whether what is printed is discarded: Node opens the null device in place of a closed standard output. */
export function isOutputDiscarded(): boolean {
  const output = fstatSync(1);
  return output.isCharacterDevice() && output.rdev === statSync(devNull, { throwIfNoEntry: false })?.rdev;
}

/** Writes to standard output. Rejects if the write fails. */
function write(text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(text, (error) => (error ? reject(error) : resolve()));
  });
}
