import * as z from "zod";
import { readSettings, sharedSettings, type Environment } from "@gpu-offers/sync/settings";

// The settings of the service, from environment variables. Every setting is a row of this schema, in the order of
// docs/configuration.md, which has the same rows (a test compares them).

/** Levels of LOG_LEVEL, least verbose first. */
const LOG_LEVELS = ["silent", "fatal", "error", "warn", "info", "debug", "trace"] as const;

/** `https://app.example.com`. */
function isOrigin(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && url.origin === text && !text.includes("*");
}

const addressOrNetwork = z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()]);

/** `10.0.0.1`, `10.0.0.0/8`, `fd00::/8`; not `0.0.0.0/0`, which is `true`. */
function isAddressOrNetwork(text: string): boolean {
  return addressOrNetwork.safeParse(text).success && !text.endsWith("/0");
}

const onOff = z.enum(["on", "off"], { error: "must be on or off" });

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
  .enum(["http/json", "http/protobuf"], { error: "must be http/json or http/protobuf (gRPC is not supported)" })
  .optional();

const headers = z
  .string()
  .regex(/^[^=,\s]+=[^,]*(?:,\s*[^=,\s]+=[^,]*)*$/, { error: "must be name=value pairs separated by commas" })
  .optional();

const HOST_NAME = /^(?:[a-z\d](?:[a-z\d-]*[a-z\d])?)(?:\.[a-z\d](?:[a-z\d-]*[a-z\d])?)*$|^\[[\da-f:]+\]$/;

/** Reads items separated by commas. @param wanted what they must be. @param kind what an invalid one isn't. */
function readItems(
  text: string,
  context: z.RefinementCtx,
  isValid: (item: string) => boolean,
  [wanted, kind]: readonly [wanted: string, kind: string],
): string[] {
  const items = text.split(",").map((item) => item.trim());
  for (const item of items.filter((one) => !isValid(one))) {
    const message = `must be ${wanted}, separated by commas; ${JSON.stringify(item)} is not ${kind}`;
    context.addIssue({ code: "custom", message });
  }
  return items;
}

const settings = z.object({
  HOST: z
    .string()
    .min(1)
    .default("127.0.0.1")
    .describe("Address to listen on; `0.0.0.0` for every IPv4 interface, `::` for all."),
  PORT: z
    .string()
    .regex(/^(?:0|[1-9]\d{0,4})$/, { error: "must be a whole number from 0 to 65535", abort: true })
    .transform(Number)
    .refine((port) => port <= 65_535, "must be a whole number from 0 to 65535")
    .default(3000)
    .describe("Port to listen on; 0 picks a free port and prints it."),
  DATABASE_URL: sharedSettings.DATABASE_URL,
  LOG_LEVEL: z
    .enum(LOG_LEVELS, { error: `must be one of ${LOG_LEVELS.join(", ")}` })
    .default("info")
    .meta({ description: `Minimum log level: ${LOG_LEVELS.map((level) => `\`${level}\``).join(", ")}.` }),
  LOG_FORMAT: z
    .enum(["auto", "json", "pretty"], { error: "must be one of auto, json, pretty" })
    .default("auto")
    .describe(
      "`json`: one JSON object per line. `pretty`: readable lines. `auto`: pretty on a terminal, otherwise json.",
    ),
  LOG_ADDRESSES: onOff
    .default("on")
    .describe(
      "`on`: log the caller's address with each request (`client`); behind a trusted proxy, the one that it forwards. `off`: don't.",
    ),
  REQUIRE_API_KEY: z
    .enum(["true", "false"], { error: "must be true or false" })
    .default("false")
    .transform((text) => text === "true")
    .describe("`true`: catalog requests require an API key too. Account requests always do."),
  CORS_ORIGINS: z
    .string()
    .transform((text, context) => {
      const only = text.trim();
      if (only === "" || only === "*") {
        return only === "" ? [] : ["*"];
      }
      const wanted = "* (any origin), or origins such as https://app.example.com";
      return readItems(text, context, isOrigin, [wanted, "an origin"]);
    })
    .default([])
    .describe("Web origins that may read responses (CORS), separated by commas; `*` for all. If unset, none may."),
  RATE_LIMIT: z
    .string()
    .regex(/^(?:off|[1-9]\d{0,6})$/, { error: "must be off, or a whole number of units from 1 to 9999999" })
    .default("600")
    .transform((text) => (text === "off" ? undefined : Number(text)))
    .describe(
      "Units of work per minute, per API key, or per address without one; or `off`. Most requests take one unit. Callers on the same machine are not limited unless a proxy forwarded their requests.",
    ),
  TRUST_PROXY: z
    .string()
    .transform((text, context) => {
      if (text === "false" || text === "true") {
        return text === "true";
      }
      const wanted = "true (any proxy), false, or addresses and networks";
      return readItems(text, context, isAddressOrNetwork, [wanted, "an address or network"]);
    })
    .default(false)
    .describe(
      "Proxies whose `X-Forwarded-For` header is trusted: addresses and networks separated by commas, `true` for any, `false` for none.",
    ),
  METRICS: onOff
    .default("on")
    .describe("`on`: serve metrics for Prometheus at `/metrics`, without a key. `off`: `/metrics` returns 404."),
  PRICE_METRICS: onOff
    .default("off")
    .describe(
      "`on`: the metrics include the lowest and the median price of each family of GPUs, and the number of its rentable offers.",
    ),
  WEB: onOff
    .default("on")
    .describe("`on`: serve the page for browsers at `/`. `off`: `/` redirects browsers to `/docs`."),
  MCP: onOff
    .default("off")
    .describe("`on`: serve tools for agents (Model Context Protocol) at `/mcp`. `off`: `/mcp` returns 404."),
  MCP_ALLOWED_HOSTS: z
    .string()
    .transform((text, context) => {
      const isValid = (name: string): boolean => name === "" || HOST_NAME.test(name);
      return readItems(text.toLowerCase(), context, isValid, ["host names without port", "a host name"]);
    })
    .transform((names) => names.filter((name) => name !== ""))
    .default([])
    .describe(
      "Host names that `/mcp` accepts in the Host and Origin headers besides loopback names, separated by commas.",
    ),
  LIVE_SYNC: z
    .enum(["on", "off", "only"], { error: "must be on, off or only" })
    .default("on")
    .describe(
      "`on`: sync the enabled live sources (`gpu-offers-admin source enable`). `off`: do not sync, because another instance does. `only`: sync, and serve only `/health/*` and `/metrics`.",
    ),
  SOURCES_FILE: sharedSettings.SOURCES_FILE,
  SOURCES_MODULES: sharedSettings.SOURCES_MODULES,
  GPU_ALIASES_FILE: sharedSettings.GPU_ALIASES_FILE,
  SOURCES_ALLOW_PRIVATE: sharedSettings.SOURCES_ALLOW_PRIVATE,
  HISTORY_DAYS: sharedSettings.HISTORY_DAYS,
  BACKUP_ELSEWHERE: sharedSettings.BACKUP_ELSEWHERE,
  OTEL_EXPORTER_OTLP_ENDPOINT: collector
    .optional()
    .describe(
      "URL of an OpenTelemetry collector. It gets a span for each request, at `<url>/v1/traces`. If unset, tracing is off.",
    ),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: collector
    .optional()
    .describe(
      "Full URL for trace exports, including `/v1/traces`. Takes precedence over `OTEL_EXPORTER_OTLP_ENDPOINT`.",
    ),
  OTEL_EXPORTER_OTLP_PROTOCOL: protocol.describe("Encoding of exports: `http/json` (the default) or `http/protobuf`."),
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: protocol.describe(
    "Encoding of trace exports. Takes precedence over `OTEL_EXPORTER_OTLP_PROTOCOL`.",
  ),
  OTEL_EXPORTER_OTLP_HEADERS: headers.meta({
    isSecret: true,
    description: "Headers for the collector, as `name=value` pairs separated by commas.",
  }),
  OTEL_EXPORTER_OTLP_TRACES_HEADERS: headers.meta({
    isSecret: true,
    description:
      "Headers for trace exports, as `name=value` pairs separated by commas. They take precedence over headers of the same name in `OTEL_EXPORTER_OTLP_HEADERS`.",
  }),
  OTEL_TRACES_EXPORTER: z
    .string()
    .default("otlp")
    .describe("List of exporters, separated by commas. Tracing is off unless `otlp` is one of them."),
  OTEL_SDK_DISABLED: z.string().default("false").describe("`true`: tracing is off."),
  OTEL_SERVICE_NAME: z.string().default("gpu-offers").describe("Name of the service in traces."),
  OTEL_RESOURCE_ATTRIBUTES: z
    .string()
    .default("")
    .describe("Further attributes of the service, as `name=value` pairs separated by commas."),
  OTEL_TRACES_SAMPLER: z
    .enum(SAMPLERS, { error: `must be one of ${SAMPLERS.join(", ")}` })
    .default("parentbased_always_on")
    .meta({ description: `Which requests get a span: ${SAMPLERS.map((name) => `\`${name}\``).join(", ")}.` }),
  OTEL_TRACES_SAMPLER_ARG: z
    .string()
    .regex(/^(?:0(?:\.\d+)?|1(?:\.0+)?)$/, { error: "must be a number from 0 to 1" })
    .default("1")
    .transform(Number)
    .describe("Fraction of requests that a `traceidratio` sampler takes, from 0 to 1."),
});

/** Validated settings of the service, named like the environment variables. */
export type Config = z.output<typeof settings>;

/** URL that spans are sent to; undefined if tracing is off. */
export function tracesUrl(config: Config): string | undefined {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: base, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: whole } = config;
  return whole ?? base?.replace(/\/?$/, "/v1/traces");
}

/** Whether the environment turns tracing on. Values are compared as OpenTelemetry specifies; empty ones count as unset. */
function isTraced(environment: Environment): boolean {
  const exporters = (environment["OTEL_TRACES_EXPORTER"] || "otlp").split(",");
  return (
    Boolean(environment["OTEL_EXPORTER_OTLP_ENDPOINT"] || environment["OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"]) &&
    exporters.some((name) => name.trim() === "otlp") &&
    environment["OTEL_SDK_DISABLED"]?.toLowerCase() !== "true"
  );
}

/** A documented setting: its name, its default as written in the environment, and what it does. */
interface Setting {
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

/**
 * Reads the settings from an environment. While tracing is off, all OpenTelemetry variables count as unset: platforms
 * set them for every process, with values for other languages and exporters.
 * @throws ConfigError that names every invalid variable with its value.
 */
export function readConfig(environment: Environment): Config {
  const isUsed = (name: string): boolean => !name.startsWith("OTEL_") || isTraced(environment);
  return readSettings(settings, Object.fromEntries(Object.entries(environment).filter(([name]) => isUsed(name))));
}
