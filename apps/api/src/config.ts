import { isIP } from "node:net";
import * as z from "zod";
import { withoutPassword } from "./store/database-url.js";

// The one place that reads the environment. Every setting is a row of this schema; docs/configuration.md
// has the same rows (a test compares them).

/** Levels of LOG_LEVEL, from quiet to chatty. */
const LOG_LEVELS = ["silent", "fatal", "error", "warn", "info", "debug", "trace"] as const;

const DEFAULT_DATABASE_URL = "sqlite:./data/gpu-offers.sqlite";

const origin = z.string().refine((text) => {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && url.origin === text;
});

/** `10.0.0.1`, `10.0.0.0/8`, `fd00::/8`. */
function isAddressOrNetwork(text: string): boolean {
  const [address = "", bits, ...rest] = text.split("/");
  const largest = isIP(address) === 6 ? 128 : 32;
  return (
    rest.length === 0 &&
    isIP(address) !== 0 &&
    (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= largest))
  );
}

/** Samplers of OTEL_TRACES_SAMPLER. */
const SAMPLERS = [
  "always_on",
  "always_off",
  "traceidratio",
  "parentbased_always_on",
  "parentbased_always_off",
  "parentbased_traceidratio",
] as const;

const collector = z.url({ protocol: /^https?$/, error: "must be the http or https URL of a collector" });

const protocol = z
  .enum(["http/json"], { error: "must be http/json, the only protocol that is spoken here" })
  .default("http/json");

const headers = z
  .string()
  .regex(/^[^=,\s]+=[^,]*(?:,\s*[^=,\s]+=[^,]*)*$/, { error: "must be name=value pairs separated by commas" })
  .optional();

const hostName = z
  .string()
  .regex(/^(?:[a-z\d](?:[a-z\d-]*[a-z\d])?)(?:\.[a-z\d](?:[a-z\d-]*[a-z\d])?)*$|^\[[\da-f:]+\]$/);

const settings = z.object({
  HOST: z
    .string()
    .min(1)
    .default("127.0.0.1")
    .meta({ description: "Address to listen on; `0.0.0.0` for every IPv4 interface, `::` for all." }),
  PORT: z
    .string()
    .regex(/^(?:0|[1-9]\d{0,4})$/, { error: "must be a whole number from 0 to 65535", abort: true })
    .transform(Number)
    .refine((port) => port <= 65_535, "must be a whole number from 0 to 65535")
    .default(3000)
    .meta({ description: "Port to listen on; 0 takes a free one and prints it." }),
  DATABASE_URL: z
    .string()
    .refine((url) => /^sqlite:./.test(url) || (/^postgres(?:ql)?:\/\//.test(url) && URL.canParse(url)), {
      error: "must be sqlite:<path of the file> or postgres://<user>:<password>@<host>:<port>/<database>",
    })
    .default(DEFAULT_DATABASE_URL)
    .meta({
      description:
        "Database: `sqlite:<path>`, where a relative path starts at the working directory, or `postgres://...`.",
    }),
  LOG_LEVEL: z
    .enum(LOG_LEVELS, { error: `must be one of ${LOG_LEVELS.join(", ")}` })
    .default("info")
    .meta({ description: `Least level that is logged: ${LOG_LEVELS.map((level) => `\`${level}\``).join(", ")}.` }),
  LOG_FORMAT: z
    .enum(["auto", "json", "pretty"], { error: "must be one of auto, json, pretty" })
    .default("auto")
    .meta({ description: "`json`: one object a line. `pretty`: for people. `auto`: pretty on a terminal, else json." }),
  REQUIRE_API_KEY: z
    .enum(["true", "false"], { error: "must be true or false" })
    .default("false")
    .transform((text) => text === "true")
    .meta({ description: "`true`: the catalog needs an API key too. The account endpoints always need one." }),
  CORS_ORIGINS: z
    .string()
    .transform((text, context) => {
      const items = text.split(",").map((item) => item.trim());
      if (text.trim() === "" || (items.length === 1 && items[0] === "*")) {
        return items.filter((item) => item !== "");
      }
      for (const item of items) {
        if (!origin.safeParse(item).success) {
          context.addIssue({
            code: "custom",
            message: `must be *, or origins such as https://app.example.com separated by commas; ${JSON.stringify(item)} is none`,
          });
        }
      }
      return items;
    })
    .default([])
    .meta({
      description: "Web origins whose pages may read answers, separated by commas; `*` for all; empty for none.",
    }),
  RATE_LIMIT: z
    .string()
    .regex(/^(?:off|[1-9]\d{0,6})$/, { error: "must be off, or a whole number of requests from 1 to 9999999" })
    .default("off")
    .transform((text) => (text === "off" ? undefined : Number(text)))
    .meta({
      description:
        "Requests a minute to `/api/v1`, `/mcp` and `/sources` for each API key, and for each address without one; or `off`.",
    }),
  TRUST_PROXY: z
    .string()
    .transform((text, context) => {
      if (text === "false" || text === "true") {
        return text === "true";
      }
      const items = text.split(",").map((item) => item.trim());
      for (const item of items.filter((candidate) => !isAddressOrNetwork(candidate))) {
        context.addIssue({
          code: "custom",
          message: `must be true, false, or addresses and networks separated by commas; ${JSON.stringify(item)} is none`,
        });
      }
      return items;
    })
    .default(false)
    .meta({
      description:
        "Proxies whose `X-Forwarded-For` tells the address of the caller: addresses and networks separated by commas, `true` for any, `false` for none.",
    }),
  METRICS: z.enum(["on", "off"], { error: "must be on or off" }).default("on").meta({
    description: "`on`: `/metrics` tells Prometheus about the service, without a key. `off`: there is no such path.",
  }),
  MCP: z.enum(["on", "off"], { error: "must be on or off" }).default("off").meta({
    description: "`on`: agents find the tools of the Model Context Protocol at `/mcp`. `off`: there is no such path.",
  }),
  MCP_ALLOWED_HOSTS: z
    .string()
    .transform((text, context) => {
      const names = text.split(",").flatMap((item) => item.trim().toLowerCase() || []);
      for (const name of names.filter((item) => !hostName.safeParse(item).success)) {
        context.addIssue({
          code: "custom",
          message: `must be host names without port, separated by commas; ${JSON.stringify(name)} is not one`,
        });
      }
      return names;
    })
    .default([])
    .meta({
      description:
        "Host names, beside those of the loopback, by which `/mcp` may be called, and whose web pages may call it; separated by commas.",
    }),
  LIVE_SYNC: z.enum(["on", "off", "only"], { error: "must be on, off or only" }).default("on").meta({
    description:
      "`on`: sync the live sources that are enabled (`gpu-offers-admin source enable`). `off`: leave that to other instances. `only`: sync, and serve nothing.",
  }),
  SOURCES_FILE: z
    .string()
    .optional()
    .meta({ description: "YAML file with settings of live sources; if unset, each source has its defaults." }),
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
    .meta({ description: "Days that changes of offers are kept in the history." }),
  HISTORY_STOCK: z
    .enum(["on", "off"], { error: "must be on or off" })
    .default("off")
    .meta({ description: "`on`: the history also records when offers become available or unavailable." }),
  OTEL_EXPORTER_OTLP_ENDPOINT: collector.optional().meta({
    description:
      "OpenTelemetry collector that gets a span for each request, at `<url>/v1/traces`; none: nobody traces.",
  }),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: collector.optional().meta({
    description: "The same as the whole URL, `/v1/traces` included; it wins over the other one.",
  }),
  OTEL_EXPORTER_OTLP_PROTOCOL: protocol.meta({ description: "How spans are sent: OTLP as JSON over HTTP." }),
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: protocol.meta({ description: "The same; there is no other." }),
  OTEL_EXPORTER_OTLP_HEADERS: headers.meta({
    isSecret: true,
    description: "Headers for the collector, as `name=value` pairs separated by commas.",
  }),
  OTEL_EXPORTER_OTLP_TRACES_HEADERS: headers.meta({
    isSecret: true,
    description: "The same; a header that is in both has the value of this one.",
  }),
  OTEL_TRACES_EXPORTER: z
    .enum(["otlp", "none"], { error: "must be otlp or none" })
    .default("otlp")
    .meta({ description: "`none`: no spans, whatever the endpoint." }),
  OTEL_SDK_DISABLED: z
    .enum(["true", "false"], { error: "must be true or false" })
    .default("false")
    .meta({ description: "`true`: no spans, whatever the endpoint." }),
  OTEL_SERVICE_NAME: z.string().default("gpu-offers").meta({ description: "Name of the service in its spans." }),
  OTEL_RESOURCE_ATTRIBUTES: z
    .string()
    .default("")
    .meta({ description: "Further attributes of the service, as `name=value` pairs separated by commas." }),
  OTEL_TRACES_SAMPLER: z
    .enum(SAMPLERS, { error: `must be one of ${SAMPLERS.join(", ")}` })
    .default("parentbased_always_on")
    .meta({ description: `Which requests get a span: ${SAMPLERS.map((name) => `\`${name}\``).join(", ")}.` }),
  OTEL_TRACES_SAMPLER_ARG: z
    .string()
    .regex(/^(?:0(?:\.\d+)?|1(?:\.0+)?)$/, { error: "must be a number from 0 to 1" })
    .default("1")
    .transform(Number)
    .meta({ description: "Share of the requests that a `traceidratio` sampler takes, from 0 to 1." }),
});

/** Settings of the service, checked. Names are those of the environment. */
export type Config = z.output<typeof settings>;

/** Where spans are sent; undefined when nobody traces. */
export function tracesUrl(config: Config): string | undefined {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: base, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: whole } = config;
  const isOff = config.OTEL_SDK_DISABLED === "true" || config.OTEL_TRACES_EXPORTER === "none";
  return isOff ? undefined : (whole ?? base?.replace(/\/?$/, "/v1/traces"));
}

/** One documented setting: its name, its default as a person would write it, and what it does. */
export interface Setting {
  name: string;
  default: string;
  description: string;
}

/** Every setting, in the order of the documentation. */
export function listSettings(): Setting[] {
  const defaults = settings.parse({});
  return Object.entries(settings.shape).map(([name, schema]) => ({
    name,
    default: schema instanceof z.ZodOptional ? "" : String(defaults[name as keyof Config] ?? "off"),
    description: schema.meta()?.description ?? "",
  }));
}

/** Settings that cannot be used. The message has one line for each fault. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}

/**
 * Reads the settings from an environment. A variable that is set to nothing counts as not set.
 * @throws ConfigError that names every faulty variable with its value.
 */
export function readConfig(environment: Record<string, string | undefined>): Config {
  const given = Object.fromEntries(
    Object.keys(settings.shape).flatMap((name) => {
      const value = environment[name];
      return value === undefined || value === "" ? [] : [[name, value]];
    }),
  );
  const result = settings.safeParse(given);
  if (!result.success) {
    const faults = result.error.issues.map((issue) => {
      const name = String(issue.path[0]);
      return isSecret(name)
        ? `${name} ${issue.message}.`
        : `${name} ${issue.message}; it is ${JSON.stringify(withoutPassword(given[name] ?? ""))}.`;
    });
    throw new ConfigError(faults.join("\n"));
  }
  return result.data;
}

/** Whether the value of a setting belongs in no message. */
function isSecret(name: string): boolean {
  return settings.shape[name as keyof Config].meta()?.["isSecret"] === true;
}
