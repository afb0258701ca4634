import type { LoggerService } from "@nestjs/common";
import { pino, stdTimeFunctions, type Logger } from "pino";
import { PinoPretty } from "pino-pretty";
import type { Config } from "./config.js";

/** Characters that wait to be written, at most. */
const MAX_LENGTH = 32_768;

/** Milliseconds that a line waits to be written, at most. */
const MAX_DELAY_MS = 1_000;

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
    : pino(options, new LineBuffer());
}

/**
 * A line costs more to write than to make, so lines are written together: when there are some
 * kilobytes of them, after a second at the latest, and when the process ends.
 */
class LineBuffer {
  #lines = "";

  constructor() {
    setInterval(() => this.#flush(), MAX_DELAY_MS).unref();
    process.once("exit", () => this.#flush());
  }

  /** Takes a line; its line end is part of it. */
  write(line: string): void {
    this.#lines += line;
    if (this.#lines.length >= MAX_LENGTH) {
      this.#flush();
    }
  }

  #flush(): void {
    if (this.#lines !== "") {
      process.stdout.write(this.#lines);
      this.#lines = "";
    }
  }
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
