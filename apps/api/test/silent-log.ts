import { pino } from "pino";
import type { Log } from "../src/log.js";
import { LogOutput } from "../src/log-output.js";

/** A log for tests: it writes nothing. */
export function silentLog(): Log {
  return { logger: pino({ level: "silent" }), logRequest: () => {}, output: new LogOutput(1, () => {}) };
}
