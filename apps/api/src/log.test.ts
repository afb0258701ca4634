import { openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pino } from "pino";
import { expect, test } from "vitest";
import { tempFolder } from "@gpu-offers/testkit/temp-folder";
import { createLog, nestLog, prettyLine } from "./log.js";

const failure = (): Error => Object.assign(new Error("disk is full"), { code: "ENOSPC" });

/** Converts Nest's messages to log lines. */
function linesOf(say: (log: ReturnType<typeof nestLog>) => void): string[] {
  const lines: string[] = [];
  say(nestLog(pino({ level: "trace", base: null }, { write: (line: string) => lines.push(line) })));
  return lines;
}

test("a stack is logged, whether Nest passes the error or its stack with the message", () => {
  const error = failure();
  const [given = "", beside = "", fatal = "", without = ""] = linesOf((log) => {
    log.error(error);
    log.error("cannot write", error.stack, "ExceptionsHandler");
    log.fatal(error);
    log.error("cannot write", "ExceptionsHandler");
  });
  expect(JSON.parse(given)).toMatchObject({
    level: 50,
    msg: "disk is full",
    err: { type: "Error", message: "disk is full", code: "ENOSPC", stack: error.stack },
  });
  expect(JSON.parse(beside)).toMatchObject({ level: 50, msg: "cannot write", stack: error.stack });
  expect(JSON.parse(fatal)).toMatchObject({ level: 60, err: { stack: error.stack } });
  expect(JSON.parse(without)).not.toHaveProperty("stack");
});

test("an unreachable database is logged without a stack, also as the cause of an error", async () => {
  const path = join(tempFolder(), "log");
  const { logger, output } = createLog(
    { LOG_LEVEL: "info", LOG_FORMAT: "json" },
    { fd: openSync(path, "w"), isTTY: false },
  );
  const gone = Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" });
  for (const err of [gone, new Error("cannot check an API key", { cause: gone }), failure()]) {
    logger.error({ err }, "unavailable");
  }
  await output.end();
  const errors = readFileSync(path, "utf8")
    .trim()
    .split("\n")
    .map((one) => JSON.parse(one) as { err: object });
  expect(errors.map(({ err }) => "stack" in err)).toEqual([false, false, true]);
});

test("Nest's startup messages are below the default level", () => {
  const levels = linesOf((log) => {
    log.log("mapped a route");
    log.debug("resolved");
    log.verbose("resolved");
    log.warn("deprecated");
  }).map((line) => (JSON.parse(line) as { level: number }).level);
  expect(levels).toEqual([20, 10, 10, 40]);
});

const line = (fields: object): string =>
  `${JSON.stringify({ level: "error", time: "2026-11-21T12:00:00.000Z", msg: "cannot write", ...fields })}\n`;

test("a human-readable line has the stack indented below it, and the rest of the error next to the message", () => {
  const stack = "Error: disk is full\n    at write (disk.js:1:2)\n    at run (main.js:3:4)";
  const below = "    Error: disk is full\n        at write (disk.js:1:2)\n        at run (main.js:3:4)\n";
  expect(prettyLine(line({ err: { type: "Error", code: "ENOSPC", stack } }), false)).toBe(
    `[12:00:00.000] ERROR: cannot write {"err":{"type":"Error","code":"ENOSPC"}}\n${below}`,
  );
  expect(prettyLine(line({ stack }), false)).toBe(`[12:00:00.000] ERROR: cannot write\n${below}`);
});

test("a human-readable line without an error is one line, in color for a terminal", () => {
  expect(prettyLine(line({ level: "info", msg: "listening", port: 3000 }), false)).toBe(
    '[12:00:00.000] INFO: listening {"port":3000}\n',
  );
  expect(prettyLine(line({}), true)).toBe("[12:00:00.000] \u001b[31mERROR\u001b[39m: cannot write\n");
});
