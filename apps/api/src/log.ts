import type { LoggerService } from "@nestjs/common";
import { destination, pino, stdTimeFunctions, type Logger, type LoggerOptions } from "pino";
import { PinoPretty } from "pino-pretty";
import type { Config } from "./config.js";

/** The log: one JSON object a line on standard output, or lines for people. */
export function createLogger(config: Pick<Config, "LOG_LEVEL" | "LOG_FORMAT">, isTerminal: boolean): Logger {
  const isPretty = config.LOG_FORMAT === "pretty" || (config.LOG_FORMAT === "auto" && isTerminal);
  const options = {
    level: config.LOG_LEVEL,
    base: null,
    timestamp: stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
  };
  return isPretty
    ? pino(options, PinoPretty({ colorize: isTerminal, singleLine: true, sync: true }))
    : bufferedLogger(options);
}

/**
 * A line costs more to write than to make, so lines are written together: when there are some
 * kilobytes of them, after a second at the latest, and when the process ends.
 */
function bufferedLogger(options: LoggerOptions): Logger {
  const output = destination({ dest: 1, sync: false, minLength: 32_768, maxWrite: 65_536, periodicFlush: 1_000 });
  process.once("exit", () => output.flushSync());
  return pino(options, output);
}

/** Nest's own messages, in our log. What it says while it starts is of no use to an operator. */
export class NestLog implements LoggerService {
  constructor(private readonly logger: Logger) {}

  log(message: unknown): void {
    this.logger.debug(String(message));
  }

  debug(message: unknown): void {
    this.logger.trace(String(message));
  }

  verbose(message: unknown): void {
    this.logger.trace(String(message));
  }

  warn(message: unknown): void {
    this.logger.warn(String(message));
  }

  error(message: unknown): void {
    this.logger.error(String(message));
  }

  fatal(message: unknown): void {
    this.logger.fatal(String(message));
  }
}
