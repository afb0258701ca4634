import * as z from "zod";
import { readFileSync } from "node:fs";
import { parse, YAMLParseError } from "yaml";
import type { GateKind, LiveSource } from "@gpu-offers/sources";
import { nearNames, present, providerNameSchema, reasonOf } from "@gpu-offers/domain";
import { ConfigError } from "./config-error.js";
import { parseDuration } from "./duration.js";
import { MIN_INTERVAL_SECONDS, sourceDurations, durationProblems, type SourceDurations } from "./source-durations.js";

// The operator's settings of live sources, from the file of SOURCES_FILE. All problems are reported at once. Without the
// file, every source has its defaults.

const duration = z.string({ error: "must be a duration such as 10 min, 6 h or 3 days" }).transform((text, context) => {
  const seconds = parseDuration(text);
  if (seconds === undefined) {
    context.addIssue({ code: "custom", message: "must be a duration such as 10 min, 6 h or 3 days" });
    return z.NEVER;
  }
  return seconds;
});

const sourceSchema = z.strictObject({
  enabled: z.boolean({ error: "must be true or false" }).optional(),
  interval: duration
    .refine((seconds) => seconds >= MIN_INTERVAL_SECONDS, `must be ${MIN_INTERVAL_SECONDS} s or more`)
    .optional(),
  staleAfter: duration.optional(),
  dropAfter: duration.optional(),
  provider: providerNameSchema.optional(),
  scopes: z.array(z.string().min(1)).min(1, "must name at least one scope").optional(),
  convert: z.enum(["ecb"], { error: "must be ecb" }).optional(),
  gates: z.enum(["list", "marketplace"], { error: "must be list or marketplace" }).optional(),
  base: z.url({ protocol: /^https?$/, error: "must be an http or https URL" }).optional(),
});

type GivenSettings = z.output<typeof sourceSchema>;

/** Settings of a source, defaults filled in. */
export interface SourceSettings extends SourceDurations {
  /** The file's `enabled`; undefined to leave it to `source enable`. */
  enabled: boolean | undefined;
  gates: GateKind;
  /** URL that replaces scheme, host and port of all requests, such as the operator's proxy. */
  base: string | undefined;
  /** Options passed to the source itself. */
  own: { provider?: string; scopes?: readonly string[]; convert?: "ecb" };
}

export class LiveSettingsFile {
  readonly #byName: ReadonlyMap<string, GivenSettings>;

  /** @param text the file in YAML. @throws ConfigError that names every problem. */
  constructor(sources: readonly LiveSource[], text = "", name = "SOURCES_FILE") {
    this.#byName = parseSettings(sources, text, name);
    const problems = sources
      .filter((source) => this.#byName.has(source.name))
      .flatMap((source) =>
        durationProblems(this.of(source)).map((problem) => `${name}: sources.${source.name}.${problem}`),
      );
    if (problems.length > 0) {
      throw new ConfigError(problems.join("\n"));
    }
  }

  /** Reads the configured file. @throws ConfigError. */
  static read(
    sources: readonly LiveSource[],
    { SOURCES_FILE: file }: { SOURCES_FILE?: string | undefined },
  ): LiveSettingsFile {
    if (file === undefined) {
      return new LiveSettingsFile(sources);
    }
    let text: string;
    try {
      text = readFileSync(file, "utf8");
    } catch (error) {
      throw new ConfigError(`SOURCES_FILE cannot be read: ${reasonOf(error)}.`);
    }
    return new LiveSettingsFile(sources, text, file);
  }

  of(source: LiveSource): SourceSettings {
    const given = this.#byName.get(source.name) ?? {};
    return {
      enabled: given.enabled,
      ...sourceDurations(source, given),
      gates: given.gates ?? (source.kind === "marketplace" ? "marketplace" : "list"),
      base: given.base,
      own: {
        ...(given.provider === undefined ? {} : { provider: given.provider }),
        ...(given.scopes === undefined ? {} : { scopes: given.scopes }),
        ...(given.convert === undefined ? {} : { convert: given.convert }),
      },
    };
  }
}

/** A mapping may be left empty. */
const orEmpty = <Schema extends z.ZodType>(schema: Schema) => z.preprocess((value) => value ?? {}, schema);

function parseSettings(sources: readonly LiveSource[], text: string, name: string): Map<string, GivenSettings> {
  let document: unknown;
  try {
    document = parse(text);
  } catch (error) {
    throw new ConfigError(
      `${name} is not YAML: ${error instanceof YAMLParseError ? (error.message.split("\n")[0] ?? "") : reasonOf(error)}`,
    );
  }
  const names = sources.map((source) => source.name);
  const settings = z.strictObject(Object.fromEntries(names.map((each) => [each, orEmpty(sourceSchema).optional()])));
  const result = orEmpty(z.strictObject({ sources: orEmpty(settings) })).safeParse(document);
  if (!result.success) {
    const issues = result.error.issues.toSorted((a, b) => a.path.length - b.path.length);
    const problems = issues.flatMap((issue) => problemsOf(issue, { name, names, document }));
    throw new ConfigError(problems.join("\n"));
  }
  return new Map(Object.entries(result.data.sources).flatMap(([each, given]) => (given ? [[each, given]] : [])));
}

function problemsOf(
  { path, message, ...issue }: z.core.$ZodIssue,
  { name, names, document }: { name: string; names: readonly string[]; document: unknown },
): string[] {
  const [, source = "", key, ...rest] = path.map(String);
  const where = source === "" ? name : `${name}: sources.${source}`;
  if (key !== undefined) {
    const { sources } = document as { sources: Record<string, Record<string, unknown>> };
    return [`${where}.${[key, ...rest].join(".")} ${message}, not ${JSON.stringify(sources[source]?.[key])}.`];
  }
  const levels = [
    { noun: "setting", known: ["sources"], mapping: " must be a mapping with the key sources." },
    { noun: "source", known: names, mapping: ": sources must be a mapping of source names to their settings." },
    { noun: "setting", known: Object.keys(sourceSchema.shape), mapping: " must be a mapping of settings." },
  ];
  const { noun, known, mapping } = present(levels[path.length]);
  return issue.code !== "unrecognized_keys"
    ? [`${where}${mapping}`]
    : issue.keys.map((unknown) => {
        const [near] = nearNames(unknown, known);
        return `${where}: there is no ${noun} ${JSON.stringify(unknown)}${near === undefined ? "." : `; did you mean ${near}?`}`;
      });
}
