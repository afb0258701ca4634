import { pino } from "pino";
import type { Log } from "../src/log.ts";
import { LogOutput } from "../src/log-output.ts";

/** A log for tests: it writes nothing. */
export function silentLog(): Log {
  return { logger: pino({ level: "silent" }), logRequest: () => {}, output: new LogOutput(1, () => {}) };
}
