import type { LoggerService } from "@nestjs/common";
import { pino, stdTimeFunctions, type Logger } from "pino";
import type { Config } from "./config.js";
import { prettyLine } from "./pretty-log.js";

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
    ? pino(options, { write: (line) => process.stdout.write(prettyLine(line, isTerminal)) })
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

  error(message: unknown, ...more: unknown[]): void {
    this.logger.error(...withStack(message, more));
  }

  fatal(message: unknown, ...more: unknown[]): void {
    this.logger.fatal(...withStack(message, more));
  }
}

/** What Nest says of a failure: the error itself, or its message and, among what follows, its stack. */
function withStack(message: unknown, more: readonly unknown[]): [fields: object, message: string] {
  if (message instanceof Error) {
    return [{ err: message }, message.message];
  }
  const stack = more.find((item) => typeof item === "string" && item.includes("\n    at "));
  return [stack === undefined ? {} : { stack }, String(message)];
}
