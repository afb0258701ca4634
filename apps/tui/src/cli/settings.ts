import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { ALL_SORT_KEYS, SORT_ORDERS } from "@gpu-offers/domain";
import { HIDEABLE_COLUMNS } from "@gpu-offers/list";
import { userFolder } from "../user-folder.js";
import { EXIT, Failure } from "../output/exit-codes.js";

// Settings from the config file and the environment, which takes precedence; flags override both.

const DEFAULT_URL = "http://127.0.0.1:3000";

const url = z.url({ protocol: /^https?$/, error: "must be an http or https URL such as http://127.0.0.1:3000" });

const configSchema = z.strictObject({
  url: url.optional(),
  apiKey: z.string().min(1).optional(),
  disk: z.int().min(1).optional(),
  sort: z.enum(ALL_SORT_KEYS).optional(),
  order: z.enum(SORT_ORDERS).optional(),
  hiddenColumns: z
    .array(z.enum(HIDEABLE_COLUMNS, { error: `must be one of ${HIDEABLE_COLUMNS.join(", ")}` }))
    .optional(),
  accessible: z.boolean().optional(),
});

/** Settings for all commands. */
export interface Settings extends Omit<z.output<typeof configSchema>, "url"> {
  url: string;
  /** Whether no address was given, so that prices without a server are used if no service is there. */
  isDefaultUrl: boolean;
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The settings of file and environment.
 * @throws Failure with the place and all problems if any is invalid.
 */
export function readSettings(environment: Environment, flags: { url?: string | undefined }): Settings {
  const folder = userFolder(environment, "XDG_CONFIG_HOME");
  const config = folder === undefined ? {} : readConfig(join(folder, "config.json"));
  const apiKey = given(environment["GPU_OFFERS_API_KEY"]) ?? config.apiKey;
  const accessible = isOn(environment["ACCESSIBLE"]) || config.accessible === true;
  const wanted = flags.url ?? given(environment["GPU_OFFERS_URL"]) ?? config.url;
  const address = wanted ?? DEFAULT_URL;
  const checked = url.safeParse(address);
  if (!checked.success) {
    const name = flags.url === undefined ? "GPU_OFFERS_URL" : "--url";
    throw new Failure(EXIT.usage, `${name} ${checked.error.issues[0]?.message}, not ${JSON.stringify(address)}.`);
  }
  return {
    ...config,
    url: address,
    isDefaultUrl: wanted === undefined,
    accessible,
    ...(apiKey === undefined ? {} : { apiKey }),
  };
}

function readConfig(path: string): z.output<typeof configSchema> {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR")) {
      return {};
    }
    throw new Failure(EXIT.usage, `cannot read ${path}: ${error instanceof Error ? error.message : String(error)}.`);
  }
  const result = configSchema.safeParse(parseJson(text, path));
  if (result.success) {
    return result.data;
  }
  const problems = result.error.issues.map(({ path: place, message }) => [...place, message].join(" "));
  throw new Failure(EXIT.usage, `${path}: ${problems.join("; ")}. See docs/picker.md.`);
}

function parseJson(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The parser's message quotes the text, which may contain the key.
    throw new Failure(EXIT.usage, `${path} is not valid JSON.`);
  }
}

/** Empty variables count as unset. */
function given(value: string | undefined): string | undefined {
  return value === "" ? undefined : value;
}

function isOn(value: string | undefined): boolean {
  return value !== undefined && !["", "0", "false"].includes(value);
}
