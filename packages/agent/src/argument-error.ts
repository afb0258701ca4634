import { meantNames } from "@gpu-offers/domain";
import type * as z from "zod";

const MAX_PROBLEMS = 10;

/** A problem, which is only put into words if it is listed: a call may have thousands. */
type ArgumentProblem = string | (() => string);

/**
 * Invalid arguments of a tool. The message names each argument, its problem and what to send, for the first
 * {@link MAX_PROBLEMS}, and says how many more there are.
 */
export class ToolArgumentError extends Error {
  override readonly name = "ToolArgumentError";

  constructor(problems: readonly ArgumentProblem[]) {
    const lines = problems.slice(0, MAX_PROBLEMS).map((problem) => (typeof problem === "string" ? problem : problem()));
    const others = problems.length - lines.length;
    if (others > 0) {
      lines.push(`${others} more ${others === 1 ? "problem" : "problems"}.`);
    }
    super(lines.length === 1 ? lines[0] : lines.map((line) => `- ${line}`).join("\n"));
  }
}

/**
 * Validates the arguments of a tool call with its schema: all of them if there are no problems, else those that are valid.
 * An unknown argument comes with the nearest known name.
 */
export function readArguments<Schema extends z.ZodObject>(
  schema: Schema,
  value: unknown,
): { values: Partial<z.output<Schema>>; problems: readonly ArgumentProblem[] } {
  const shortened = withoutLongLists(value ?? {});
  const parsed = schema.safeParse(shortened, { reportInput: true });
  if (parsed.success) {
    return { values: parsed.data, problems: [] };
  }
  const given = Object.entries(isRecord(shortened) ? shortened : {});
  const valid = given.flatMap(([name, one]) => {
    const result = Object.hasOwn(schema.shape, name) ? schema.shape[name]?.safeParse(one) : undefined;
    return result?.success === true ? [[name, result.data] as const] : [];
  });
  const known = Object.keys(schema.shape);
  const problems = parsed.error.issues.flatMap((issue) =>
    issue.code === "unrecognized_keys"
      ? issue.keys.map((key) => () => `${shown(key)} is not an argument; ${hintOf(key, known)}`)
      : [() => problemText(issue)],
  );
  return { values: Object.fromEntries(valid) as Partial<z.output<Schema>>, problems };
}

/** More than any argument may have. Validating each item of a longer list would take long, and it is invalid anyway. */
const MAX_LIST = 101;

function withoutLongLists(value: unknown): unknown {
  if (!isRecord(value) || Array.isArray(value)) {
    return value;
  }
  const shortened = (one: unknown): unknown => (Array.isArray(one) ? one.slice(0, MAX_LIST) : one);
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, shortened(one)]));
}

function problemText(issue: z.core.$ZodIssue): string {
  return `${issue.path.map(String).join(".") || "The arguments"}: ${problemOf(issue)}.`;
}

function hintOf(key: string, known: readonly string[]): string {
  const meant = meantNames(key.slice(0, MAX_SHOWN), known);
  if (meant.length > 0) {
    return `did you mean ${meant.join(", ")}?`;
  }
  return known.length === 0 ? "the tool takes none." : `the arguments are ${known.join(", ")}.`;
}

const TYPES: Readonly<Record<string, string>> = {
  array: "a list",
  boolean: "true or false",
  int: "a whole number",
  number: "a number",
  object: "an object",
  string: "text",
};

function problemOf(issue: z.core.$ZodIssue): string {
  const { input: value } = issue;
  if (issue.code === "invalid_type") {
    const type = TYPES[issue.expected] ?? issue.expected;
    return value === undefined ? `is required: ${type}` : `must be ${type}, not ${shown(value)}`;
  }
  if (issue.code === "too_big") {
    return limitText(issue.origin, "at most", issue.maximum, value);
  }
  if (issue.code === "too_small") {
    return limitText(issue.origin, issue.inclusive === false ? "more than" : "at least", issue.minimum, value);
  }
  return issue.code === "invalid_value"
    ? `must be one of ${issue.values.map(String).join(", ")}, not ${shown(value)}`
    : issue.message;
}

function limitText(origin: string, relation: string, limit: number | bigint, value: unknown): string {
  if (origin === "array") {
    return `must have ${relation} ${limit} ${Number(limit) === 1 ? "value" : "values"}`;
  }
  return origin === "string"
    ? `must have ${relation} ${limit} characters`
    : `must be ${relation} ${limit}, not ${shown(value)}`;
}

/** Maximum length of a repeated value. */
const MAX_SHOWN = 60;

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}...` : text;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}
