import { fstatSync, statSync } from "node:fs";
import { devNull } from "node:os";
import { codeOf, reasonOf } from "@gpu-offers/domain";
import { Command } from "commander";
import type * as z from "zod";
import { asCalled } from "./invocation.js";

// What all commands have in common: pasteable examples, one schema for the --json output, and how they print and fail.

/** The result of a command, which is printed as JSON or as text for people. */
export type Outcome<Json> = {
  json: Json;
  /** Why the command fails, once it has printed. */
  failure?: string | undefined;
} & (
  | {
      text: string;
      /** What was changed: a sentence, or work to undo it that returns one. Unset if nothing was changed. */
      done?: string | (() => Promise<string>) | undefined;
    }
  /** What was changed, which is also the text for people. */
  | { done: string }
);

export class AdminCommand extends Command {
  /** Schema of the output with `--json`; without one, the command has no such option. */
  output?: z.ZodType;

  override createCommand(name?: string): AdminCommand {
    return new AdminCommand(name);
  }

  /** Adds a text between the options and the examples of its help. */
  notes(text: string): this {
    return this.addHelpText("after", () => asCalled(`\n${text}`));
  }

  /** Adds commands to paste to its help, written with the name `gpu-offers-admin`. */
  examples(...lines: readonly [string, ...string[]]): this {
    return this.notes([lines.length === 1 ? "Example:" : "Examples:", ...lines.map((line) => `  ${line}`)].join("\n"));
  }

  /**
   * Sets what the command does, and adds `--json` as its last option.
   * @param work Returns what is printed; undefined if it has printed the result itself. If the output cannot be written, the
   * command fails: with exit code 3 and the sentence that says what was done, unless nothing was.
   */
  prints<Schema extends z.ZodType>(
    schema: Schema,
    work: (...args: ActionArguments) => Promise<Outcome<z.input<Schema>> | undefined>,
  ): this {
    this.output = schema;
    return this.option("--json", "print the result as JSON").action(async (...args) => {
      const outcome = await work(...args);
      if (outcome === undefined) {
        return;
      }
      const { json, done, failure } = outcome;
      const text = "text" in outcome ? outcome.text : outcome.done;
      try {
        await write(`${this.opts()["json"] === true ? JSON.stringify(schema.parse(json), null, 2) : text}\n`);
      } catch (error) {
        if (done === undefined) {
          throw unwritable(error);
        }
        const sentence = typeof done === "string" ? done : await done();
        throw new CommandFailure(`cannot write the output: ${reasonOf(error)}. ${sentence}`, 3);
      }
      if (failure !== undefined) {
        throw new CommandFailure(failure);
      }
    });
  }
}

/** Values of the arguments, the options, and the command, as commander types them. */
type ActionArguments = Parameters<Parameters<Command["action"]>[0]>;

/** A command failed: a message for the operator, and the exit code. */
export class CommandFailure extends Error {
  override readonly name = "CommandFailure";

  /** @param exitCode 1: not done, nothing changed; 2: wrong usage; 3: done, but the output could not be written. */
  constructor(
    message: string,
    readonly exitCode: 0 | 1 | 2 | 3 = 1,
  ) {
    super(message);
  }
}

/** The failure of a command that changed nothing and whose output cannot be written. */
export function unwritable(error: unknown): CommandFailure {
  // The reader closed the pipe, as `head` does, because it needs no more.
  return codeOf(error) === "EPIPE"
    ? new CommandFailure("", 0)
    : new CommandFailure(`cannot write the output: ${reasonOf(error)}.`);
}

/** Prints a text, such as a script. @throws CommandFailure when the output cannot be written. */
export async function printText(text: string): Promise<void> {
  await write(text).catch((error: unknown) => {
    throw unwritable(error);
  });
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
