import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { PROVIDER_TYPES, providerNameSchema, reasonOf, unknownParameter } from "@gpu-offers/domain";
import { findLiveSource, registerLiveSources, type LiveSource } from "@gpu-offers/sources";
import * as z from "zod";
import { ConfigError } from "./config-error.js";

// Sources of the operator's own, from modules that a setting names. A private provider needs no fork.

const functionSchema = z.custom<(...parameters: never[]) => unknown>((value) => typeof value === "function", {
  error: "must be a function",
});
const names = z.array(z.string().min(1));

const sourceSchema = z.strictObject({
  name: providerNameSchema,
  title: z.string().min(1),
  homepage: z.string(),
  type: z.enum(PROVIDER_TYPES),
  kind: z.enum(["list", "marketplace", "feed"]),
  secrets: names,
  optionalSecrets: names,
  hosts: names.min(1, "must name the hosts that requests may go to"),
  intervalSeconds: z.number().min(60),
  maxBytes: z.int().min(1),
  spacingMs: z.number().min(0),
  stock: z.enum(["live", "listed", "unknown"]),
  stockNeedsSecret: z.literal(true).optional(),
  isCutWithoutSecret: z.literal(true).optional(),
  recordedAt: z
    .string()
    .regex(/^\d{4}-\d{2}(?:-\d{2})?$/, "must be a date, such as 2026-11-20, or a month")
    .nullable(),
  currency: z.enum(["USD", "EUR"]),
  mayBeEmpty: z.boolean(),
  scopes: z.looseObject({ noun: z.string(), defaults: names }).nullable(),
  terms: z.string(),
  includes: z.string(),
  omits: z.string(),
  check: functionSchema.optional(),
  requests: functionSchema,
  read: functionSchema,
});

const loaded = new Set<string>();

/**
 * Loads the modules of SOURCES_MODULES, paths of ES modules separated by commas, and registers their sources. A module
 * exports a source, or a list of them, as `default`. A module that was loaded before is left out.
 * @throws ConfigError that names the module, and what is wrong with it.
 */
export async function loadSourceModules({
  SOURCES_MODULES: paths,
}: {
  SOURCES_MODULES?: string | undefined;
}): Promise<void> {
  for (const path of (paths ?? "").split(",").map((text) => text.trim())) {
    if (path !== "" && !loaded.has(path)) {
      const sources = await readModule(path);
      registerLiveSources(sources);
      loaded.add(path);
    }
  }
}

async function readModule(path: string): Promise<LiveSource[]> {
  let module: { default?: unknown };
  try {
    module = (await import(pathToFileURL(resolve(path)).href)) as { default?: unknown };
  } catch (error) {
    throw new ConfigError(`SOURCES_MODULES: ${path} cannot be loaded: ${reasonOf(error)}.`, { cause: error });
  }
  const values: unknown[] = Array.isArray(module.default) ? module.default : [module.default];
  if (module.default === undefined || values.length === 0) {
    throw new ConfigError(
      `SOURCES_MODULES: ${path} has no default export. Export a source, or a list of sources: export default acme;`,
    );
  }
  return values.map((value) => checkedSource(value, path));
}

function checkedSource(value: unknown, path: string): LiveSource {
  const result = sourceSchema.safeParse(value);
  if (!result.success) {
    const known = Object.keys(sourceSchema.shape);
    const problems = result.error.issues.flatMap((issue) =>
      issue.code === "unrecognized_keys"
        ? issue.keys.map((key) => `${key} ${unknownParameter(key, known)}`)
        : [`${issue.path.join(".") || "the source"}: ${issue.message}`],
    );
    throw new ConfigError(`SOURCES_MODULES: ${path} exports an invalid source.\n  ${problems.join("\n  ")}`);
  }
  if (findLiveSource(result.data.name) !== undefined) {
    throw new ConfigError(
      `SOURCES_MODULES: ${path} exports the source ${result.data.name}, which exists already. Use another name.`,
    );
  }
  // Checked above, as far as values can be.
  return value as LiveSource;
}
