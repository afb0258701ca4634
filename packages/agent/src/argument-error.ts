import { nearNames } from "@gpu-offers/domain";
import type * as z from "zod";

/** Arguments that a tool cannot use. The message names each argument, what is wrong with it and what to send. */
export class ArgumentError extends Error {
  override readonly name = "ArgumentError";

  constructor(readonly problems: readonly string[]) {
    super(problems.length === 1 ? problems[0] : problems.map((problem) => `- ${problem}`).join("\n"));
  }
}

/**
 * The arguments of a tool call, checked against its schema.
 * @throws ArgumentError with every problem at once; an unknown argument gets the nearest known name.
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
