import * as z from "zod";
import { ConfigError } from "@gpu-offers/fetch/config-error";
import { withoutAnyPassword } from "@gpu-offers/store/database-url";

// Settings from environment variables: how they are read, and those that the service and the operator's tool share.

/** Settings of the database, of live sources and of the history. */
export const sharedSettings = {
  DATABASE_URL: z
    .string()
    .refine((url) => /^sqlite:./.test(url) || (/^postgres(?:ql)?:\/\//.test(url) && URL.canParse(url)), {
      error: "must be sqlite:<path of the file> or postgres://<user>:<password>@<host>:<port>/<database>",
    })
    .default("sqlite:./data/gpu-offers.sqlite")
    .meta({
      description: "Database: `sqlite:<path>` (relative to the working directory) or `postgres://...`.",
    }),
  SOURCES_FILE: z
    .string()
    .optional()
    .meta({ description: "YAML file with settings of live sources; if unset, each source has its defaults." }),
  SOURCES_MODULES: z.string().optional().meta({
    description: "ES modules with live sources of your own: paths, separated by commas.",
  }),
  GPU_ALIASES_FILE: z.string().optional().meta({
    description:
      "File of GPU names that the tables lack, one `NAME=slug` per line, for live sources and `catalog import`.",
  }),
  SOURCES_ALLOW_PRIVATE: z
    .enum(["true", "false"], { error: "must be true or false" })
    .default("false")
    .transform((text) => text === "true")
    .meta({
      description:
        "`true`: live sources may be fetched over http and from private addresses, for a proxy of your own (`base` in the sources file).",
    }),
  HISTORY_DAYS: z
    .string()
    .regex(/^\d{1,5}$/, { error: "must be a whole number of days from 0 to 99999" })
    .default("400")
    .transform(Number)
    .meta({ description: "Number of days to keep observations, and changes of offers other than stock." }),
  BACKUP_ELSEWHERE: z.string().optional().meta({
    description:
      "Where `gpu-offers-admin backup` also puts each backup: a folder, or a shell command that contains `$1`, the path of the file.",
  }),
};

const sharedSchema = z.object(sharedSettings);

/** Validated settings that both programs share, named like the environment variables. */
type SharedSettings = z.output<typeof sharedSchema>;

/** An environment, such as `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Reads the shared settings from an environment. @throws ConfigError, see {@link readSettings}. */
export function readSharedSettings(environment: Environment): SharedSettings {
  return readSettings(sharedSchema, environment);
}

/**
 * Reads the settings of a schema from an environment. Empty variables count as unset.
 * @throws ConfigError that names every invalid variable with its value.
 */
export function readSettings<Shape extends z.ZodRawShape>(
  schema: z.ZodObject<Shape>,
  environment: Environment,
): z.output<z.ZodObject<Shape>> {
  const given = nonEmpty(schema, environment);
  const result = schema.safeParse(given);
  if (!result.success) {
    const problems = result.error.issues.map((issue) => {
      const name = String(issue.path[0]);
      const shown = isSecret(schema, name) ? undefined : withoutAnyPassword(given[name] ?? "");
      return shown === undefined || issue.message.includes(JSON.stringify(shown))
        ? `${name} ${issue.message}.`
        : `${name} ${issue.message}, not ${JSON.stringify(shown)}.`;
    });
    throw new ConfigError(problems.join("\n"));
  }
  return result.data;
}

function nonEmpty(schema: z.ZodObject, environment: Environment): Record<string, string> {
  return Object.fromEntries(
    Object.keys(schema.shape).flatMap((name) => {
      const value = environment[name];
      return value === undefined || value === "" ? [] : [[name, value]];
    }),
  );
}

function isSecret(schema: z.ZodObject, name: string): boolean {
  return z.globalRegistry.get(schema.shape[name] as z.ZodType)?.["isSecret"] === true;
}
