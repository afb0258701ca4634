import { readFileSync } from "node:fs";
import { join } from "node:path";
import { userFolder } from "../user-folder.js";
import { EXIT, Failure } from "../exit-codes.js";
import type { Config } from "./config-schema.js";
import { isServiceUrl, URL_REASON } from "./service-url.js";

// Settings from the config file and the environment, which takes precedence; flags override both.

const DEFAULT_URL = "http://127.0.0.1:3000";

export interface Settings extends Omit<Config, "url"> {
  url: string;
  /** Whether no address was given, so that prices without a server are used if no service is there. */
  isDefaultUrl: boolean;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** The settings of file and environment. @throws Failure with the place and all problems if any is invalid. */
export async function readSettings(environment: Environment, flags: { url?: string | undefined }): Promise<Settings> {
  const folder = userFolder(environment, "XDG_CONFIG_HOME");
  const config = folder === undefined ? {} : await readConfig(join(folder, "config.json"));
  const apiKey = given(environment["GPU_OFFERS_API_KEY"]) ?? config.apiKey;
  const accessible =
    isOn(environment["ACCESSIBLE"]) || isOn(environment["INK_SCREEN_READER"]) || config.accessible === true;
  const wanted = flags.url ?? given(environment["GPU_OFFERS_URL"]) ?? config.url;
  const address = wanted ?? DEFAULT_URL;
  if (!isServiceUrl(address)) {
    const name = flags.url === undefined ? "GPU_OFFERS_URL" : "--url";
    throw new Failure(EXIT.usage, `${name} ${URL_REASON}, not ${JSON.stringify(address)}.`);
  }
  return {
    ...config,
    url: address,
    isDefaultUrl: wanted === undefined,
    accessible,
    ...(apiKey === undefined ? {} : { apiKey }),
  };
}

/** The schemas are loaded only for a file that exists. */
async function readConfig(path: string): Promise<Config> {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR")) {
      return {};
    }
    throw new Failure(EXIT.usage, `cannot read ${path}: ${error instanceof Error ? error.message : String(error)}.`);
  }
  const { configSchema } = await import("./config-schema.js");
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
