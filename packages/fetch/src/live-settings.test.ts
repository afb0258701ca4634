import { expect, test } from "vitest";
import { ConfigError } from "./config-error.js";
import { LiveSettingsFile } from "./live-settings.js";
import { testSource } from "@gpu-offers/testkit/live-source";
import { Secrets } from "./secrets.js";
import { tempFile } from "@gpu-offers/testkit/native-catalogs";

const vast = testSource("vast", { kind: "marketplace", intervalSeconds: 600 });
const linode = testSource("linode", { intervalSeconds: 21_600 });

test("without a file, each source has its defaults", () => {
  const settings = new LiveSettingsFile([vast, linode]);
  expect(settings.of(vast)).toMatchObject({
    intervalSeconds: 600,
    staleAfterSeconds: 1_800,
    gates: "marketplace",
    enabled: undefined,
  });
  expect(settings.of(linode)).toMatchObject({ intervalSeconds: 21_600, staleAfterSeconds: 259_200, gates: "list" });
});

test("a file overrides them", () => {
  const yaml =
    "sources:\n  vast: { interval: 15 min, staleAfter: 2 h, dropAfter: 7 days, enabled: true, scopes: [a], provider: v }\n";
  expect(new LiveSettingsFile([vast, linode], yaml).of(vast)).toEqual({
    enabled: true,
    intervalSeconds: 900,
    staleAfterSeconds: 7_200,
    dropAfterSeconds: 604_800,
    gates: "marketplace",
    base: undefined,
    own: { provider: "v", scopes: ["a"] },
  });
});

test("a file with mistakes is rejected with all of them, and suggestions", () => {
  const yaml =
    "sorces: {}\nsources:\n  vats: {}\n  vast: { intervall: 5 min, interval: 1 s, enabled: maybe, dropAfter: soon }\n";
  const read = () => new LiveSettingsFile([vast, linode], yaml, "sources.yaml");
  expect(read).toThrow(ConfigError);
  for (const text of [
    'there is no setting "sorces"; did you mean sources?',
    'there is no source "vats"; did you mean vast?',
    'there is no setting "intervall"; did you mean interval?',
    "sources.vast.interval must be",
    'sources.vast.enabled must be true or false, not "maybe".',
    "sources.vast.dropAfter must be a duration such as 10 min, 6 h or 3 days",
  ]) {
    expect(read).toThrow(text);
  }
  expect(() => new LiveSettingsFile([vast], "sources: [", "sources.yaml")).toThrow("sources.yaml is not YAML");
});

test.each([
  ["{ interval: 6 h, staleAfter: 1 h }", "staleAfter must not be shorter than the interval; they are 1 h and 6 h."],
  ["{ interval: 50 days }", "dropAfter must not be shorter than staleAfter; they are 30 days and 150 days."],
])("%s contradicts itself", (own, problem) => {
  const read = () => new LiveSettingsFile([vast], `sources:\n  vast: ${own}\n`, "sources.yaml");
  expect(read).toThrow(new ConfigError(`sources.yaml: sources.vast.${problem}`));
});

test("secrets come from the environment or from files, and are redacted in every form", () => {
  const keyed = testSource("keyed", { secrets: ["KEYED_API_KEY"], optionalSecrets: ["KEYED_EXTRA"] });
  const file = tempFile("key", "can/ary+5f1d\n");
  const secrets = new Secrets([keyed], { KEYED_API_KEY_FILE: file });
  expect(secrets.of(keyed)).toEqual({ KEYED_API_KEY: "can/ary+5f1d" });
  expect(secrets.missing(keyed)).toBeUndefined();
  const base64 = Buffer.from("can/ary+5f1d").toString("base64");
  expect(secrets.redact(`a can/ary+5f1d b can%2Fary%2B5f1d c ${base64}`)).toBe("a *** b *** c ***");
  expect(new Secrets([keyed], {}).missing(keyed)).toBe("Set KEYED_API_KEY (or KEYED_API_KEY_FILE).");
  expect(new Secrets([keyed], { KEYED_API_KEY_FILE: "/no/such/file" }).missing(keyed)).toContain("cannot be read");
  expect(secrets.fingerprintOf(keyed, "x")).not.toBe(
    new Secrets([keyed], { KEYED_API_KEY: "other" }).fingerprintOf(keyed, "x"),
  );
});
