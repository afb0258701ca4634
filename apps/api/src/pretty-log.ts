import { styleText } from "node:util";

// The human-readable log. It formats the JSON lines, so both have the same content.

const COLORS = { fatal: "red", error: "red", warn: "yellow", info: "green", debug: "blue", trace: "gray" } as const;

interface Line {
  level: keyof typeof COLORS;
  time: string;
  msg?: string;
  err?: { stack?: string };
  stack?: string;
}

/**
 * Formats a JSON log line for reading: `[12:00:00.000] INFO: listening {"url":...}`. The stack of an error follows on
 * separate lines. Input and output include the line end.
 */
export function prettyLine(line: string, isColored: boolean): string {
  const { level, time, msg = "", err, stack, ...rest } = JSON.parse(line) as Line;
  const { stack: errorStack, ...error } = err ?? {};
  const details = { ...rest, ...(err === undefined ? {} : { err: error }) };
  const name = isColored
    ? styleText(COLORS[level], level.toUpperCase(), { validateStream: false })
    : level.toUpperCase();
  const tail = Object.keys(details).length === 0 ? "" : ` ${JSON.stringify(details)}`;
  const trace = (errorStack ?? stack ?? "").replaceAll(/^/gm, "    ").trimEnd();
  return `[${time.slice("YYYY-MM-DDT".length, -1)}] ${name}: ${msg}${tail}\n${trace === "" ? "" : `${trace}\n`}`;
}
