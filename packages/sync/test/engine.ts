import type { LiveSource } from "@gpu-offers/sources";
import { QUICK_LIMITS } from "@gpu-offers/testkit/live-source";
import { pino } from "pino";
import type { Database } from "@gpu-offers/store/database";
import { LiveEngine, type EngineOptions } from "../src/live-engine.ts";
import { LiveSettingsFile } from "@gpu-offers/fetch/live-settings";
import { Secrets } from "@gpu-offers/fetch/secrets";

/** An engine of sources whose API is a server of the test. */
export function testEngine(
  database: Database,
  sources: readonly LiveSource[],
  base: string,
  changes: Partial<EngineOptions> = {},
): LiveEngine {
  const yaml = ["sources:", ...sources.map(({ name }) => `  ${name}: { base: "${base}" }`)].join("\n");
  return new LiveEngine({
    database,
    sources,
    settings: new LiveSettingsFile(sources, yaml),
    gpuAliases: new Map(),
    secrets: new Secrets(sources, {}),
    logger: pino({ level: "silent" }),
    allowPrivate: true,
    random: () => 0.5,
    transport: { limits: QUICK_LIMITS },
    ...changes,
  });
}
