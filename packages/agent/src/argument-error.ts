import { nearNames } from "@gpu-offers/domain";
import type * as z from "zod";

/** Invalid arguments of a tool. The message names each argument, its problem and what to send. */
export class ArgumentError extends Error {
  override readonly name = "ArgumentError";

  constructor(readonly problems: readonly string[]) {
    super(problems.length === 1 ? problems[0] : problems.map((problem) => `- ${problem}`).join("\n"));
  }
}

/** The arguments of a tool call: all of them if there are no problems, else those that are valid. */
export interface ReadArguments<Schema extends z.ZodObject> {
  values: Partial<z.output<Schema>>;
  problems: readonly string[];
}

/** Validates the arguments of a tool call with its schema. An unknown argument comes with the nearest known name. */
export function readArguments<Schema extends z.ZodObject>(schema: Schema, value: unknown): ReadArguments<Schema> {
  const parsed = schema.safeParse(value ?? {});
  if (parsed.success) {
    return { values: parsed.data, problems: [] };
  }
  const given = Object.entries(isRecord(value) ? value : {});
  const valid = given.flatMap(([name, one]) => {
    const result = Object.hasOwn(schema.shape, name) ? schema.shape[name]?.safeParse(one) : undefined;
    return result?.success === true ? [[name, result.data] as const] : [];
  });
  return {
    values: Object.fromEntries(valid) as Partial<z.output<Schema>>,
    problems: parsed.error.issues.flatMap((issue) => problemsOf(issue, value, Object.keys(schema.shape))),
  };
}

function problemsOf(issue: z.core.$ZodIssue, given: unknown, known: readonly string[]): string[] {
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => `${JSON.stringify(key)} is not an argument; ${hintOf(key, known)}`);
  }
  const name = issue.path.map(String).join(".");
  return [`${name === "" ? "The arguments" : name}: ${problemOf(issue, valueAt(given, issue.path))}.`];
}

function hintOf(key: string, known: readonly string[]): string {
  const [nearest] = nearNames(key, known);
  if (nearest !== undefined) {
    return `did you mean ${nearest}?`;
  }
  return known.length === 0 ? "the tool takes none." : `the arguments are ${known.join(", ")}.`;
}

/** Types in words. */
const TYPES: Readonly<Record<string, string>> = {
  array: "a list",
  boolean: "true or false",
  int: "a whole number",
  number: "a number",
  object: "an object",
  string: "text",
};

function problemOf(issue: z.core.$ZodIssue, value: unknown): string {
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
  return issue.message;
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

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((inner, key) => (isRecord(inner) ? inner[String(key)] : undefined), value);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}
