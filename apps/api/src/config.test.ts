import { describe, expect, test } from "vitest";
import { ConfigError } from "@gpu-offers/fetch/config-error";
import { readConfig } from "./config.js";

const DATABASE_RULE = "must be sqlite:<path of the file> or postgres://<user>:<password>@<host>:<port>/<database>";
const ORIGINS_RULE = "must be * (any origin), or origins such as https://app.example.com, separated by commas";
const PROXIES_RULE = "must be true (any proxy), false, or addresses and networks, separated by commas";

describe("an invalid setting", () => {
  test.each<[settings: Record<string, string>, problem: string]>([
    [{ PORT: "65536" }, 'PORT must be a whole number from 0 to 65535, not "65536".'],
    [{ PORT: "080" }, 'PORT must be a whole number from 0 to 65535, not "080".'],
    [{ PORT: "http" }, 'PORT must be a whole number from 0 to 65535, not "http".'],
    [{ PORT: "-1" }, 'PORT must be a whole number from 0 to 65535, not "-1".'],
    [{ DATABASE_URL: "data.sqlite" }, `DATABASE_URL ${DATABASE_RULE}, not "data.sqlite".`],
    [{ DATABASE_URL: "sqlite:" }, `DATABASE_URL ${DATABASE_RULE}, not "sqlite:".`],
    [{ DATABASE_URL: "mysql://u:secret@h/db" }, `DATABASE_URL ${DATABASE_RULE}, not "mysql://u:***@h/db".`],
    [{ LOG_LEVEL: "loud" }, 'LOG_LEVEL must be one of silent, fatal, error, warn, info, debug, trace, not "loud".'],
    [{ LOG_FORMAT: "xml" }, 'LOG_FORMAT must be one of auto, json, pretty, not "xml".'],
    [{ REQUIRE_API_KEY: "yes" }, 'REQUIRE_API_KEY must be true or false, not "yes".'],
    [
      { CORS_ORIGINS: "https://app.example.com/path" },
      `CORS_ORIGINS ${ORIGINS_RULE}; "https://app.example.com/path" is not an origin.`,
    ],
    [
      { CORS_ORIGINS: "https://*.example.com" },
      `CORS_ORIGINS ${ORIGINS_RULE}; "https://*.example.com" is not an origin.`,
    ],
    [{ TRUST_PROXY: "0.0.0.0/0" }, `TRUST_PROXY ${PROXIES_RULE}; "0.0.0.0/0" is not an address or network.`],
    [{ TRUST_PROXY: "::/0" }, `TRUST_PROXY ${PROXIES_RULE}; "::/0" is not an address or network.`],
  ])("in %o is reported", (settings, problem) => {
    expect(() => readConfig(settings)).toThrow(new ConfigError(problem));
  });

  test.each(["host=h user=u password=hunter2", "postgres:/u:hunter2@h/db", "u:hunter2@h/db"])(
    "that may contain a password, %s, is not repeated",
    (url) => {
      expect(() => readConfig({ DATABASE_URL: url })).toThrow(new ConfigError(`DATABASE_URL ${DATABASE_RULE}.`));
    },
  );
});
