import { nearNames } from "@gpu-offers/domain";
import type * as z from "zod";

/** Invalid arguments of a tool. The message names each argument, its problem and what to send. */
export class ArgumentError extends Error {
  override readonly name = "ArgumentError";

  constructor(readonly problems: readonly string[]) {
    super(problems.length === 1 ? problems[0] : problems.map((problem) => `- ${problem}`).join("\n"));
  }
}

/**
 * Validates the arguments of a tool call with its schema.
 * @throws ArgumentError with all problems; an unknown argument comes with the nearest known name.
 */
export function parseArguments<Schema extends z.ZodObject>(schema: Schema, value: unknown): z.output<Schema> {
  const parsed = schema.safeParse(value ?? {});
  if (parsed.success) {
    return parsed.data;
  }
  throw new ArgumentError(parsed.error.issues.flatMap((issue) => problemsOf(issue, Object.keys(schema.shape))));
}

function problemsOf(issue: z.core.$ZodIssue, known: readonly string[]): string[] {
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => {
      const nearest = nearNames(key, known)[0];
      return `${JSON.stringify(key)} is not an argument${nearest === undefined ? `; the arguments are ${known.join(", ")}` : `; did you mean ${nearest}?`}`;
    });
  }
  const name = issue.path.map(String).join(".");
  return [`${name === "" ? "The arguments" : name}: ${issue.message}`];
}
