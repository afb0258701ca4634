import type { LoggerService } from "@nestjs/common";
import { pino, type Logger } from "pino";
import type { Config } from "./config.js";
import { redactKeys } from "./keys/redact-keys.js";
import { LogOutput } from "./log-output.js";
import { prettyLine } from "./pretty-log.js";

/** A log and where its lines go. */
export interface Log {
  logger: Logger;
  logRequest: LogRequest;
  output: LogOutput;
}

/** What a log line says of a request. */
export interface LoggedRequest {
  id: string;
  /** As Node's parser read it, so that it needs no escaping; the same holds for the id. */
  method: string;
  url: string;
  /** See {@link loggedUrlOf}, where that is known already. */
  loggedUrl: string | undefined;
}

/** Logs a request that is over; `traceId` is undefined if it was not traced. */
export type LogRequest = (
  request: LoggedRequest,
  status: number,
  durationMs: number,
  traceId: string | undefined,
) => void;

/** Creates the log: one JSON object a line on standard output, or lines for people. */
export function createLog(
  config: Pick<Config, "LOG_LEVEL" | "LOG_FORMAT">,
  stdout: { fd: number; isTTY: boolean },
): Log {
  const isPretty = config.LOG_FORMAT === "pretty" || (config.LOG_FORMAT === "auto" && stdout.isTTY);
  const output = new LogOutput(stdout.fd, (dropped) =>
    logger.warn({ dropped }, "log output works again; lines were dropped meanwhile"),
  );
  const options = {
    level: config.LOG_LEVEL,
    base: null,
    timestamp,
    formatters: { level: (label: string) => ({ level: label }) },
  };
  const lines = isPretty ? { write: (line: string) => output.write(prettyLine(line, stdout.isTTY)) } : output;
  const logger = pino(options, lines);
  const isLogged = logger.isLevelEnabled("info");
  const logRequest: LogRequest = (request, status, durationMs, traceId) => {
    if (isLogged) {
      lines.write(requestLine(request, status, durationMs, traceId));
    }
  };
  return { logger, logRequest, output };
}

/** The line of a request as pino would write it, in a third of the time: every request has one. */
function requestLine(
  { id, method, url, loggedUrl = loggedUrlOf(url) }: LoggedRequest,
  status: number,
  durationMs: number,
  traceId: string | undefined,
): string {
  const trace = traceId === undefined ? "" : `,"traceId":"${traceId}"`;
  const rounded = Math.round(durationMs * 100) / 100;
  return `{"level":"info"${timestamp()},"requestId":"${id}"${trace},"method":"${method}","url":${loggedUrl},"status":${status},"durationMs":${rounded},"msg":"request"}\n`;
}

/** A URL as the log has it: without API keys, as a JSON text. */
export function loggedUrlOf(url: string): string {
  return JSON.stringify(redactKeys(url));
}

let lastMs = 0;
let lastTime = "";

/** The time as pino takes it into a line. Under load many lines have the same millisecond, so its text is kept. */
function timestamp(): string {
  const nowMs = Date.now();
  if (nowMs !== lastMs) {
    lastMs = nowMs;
    lastTime = `,"time":"${new Date(nowMs).toISOString()}"`;
  }
  return lastTime;
}

/** Nest's own messages, in our log. What Nest logs while it starts is of no use to an operator. */
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

/** How Nest logs a failure: the error itself, or its message and, among what follows, its stack. */
function withStack(message: unknown, more: readonly unknown[]): [fields: object, message: string] {
  if (message instanceof Error) {
    return [{ err: message }, message.message];
  }
  const stack = more.find((item) => typeof item === "string" && item.includes("\n    at "));
  return [stack === undefined ? {} : { stack }, String(message)];
}
