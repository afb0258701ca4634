import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { tempFolder } from "@gpu-offers/testkit/temp-folder";
import { run } from "./program.ts";

test.for(["throw", "Promise.reject"])(
  "an error outside of the command, by %s, is reported without a stack",
  async (how) => {
    const module = join(tempFolder(), "fails.mjs");
    writeFileSync(module, `process.once("beforeExit", () => { ${how} (new Error("outside of the command")); });`);
    const { code, stderr } = await run(["--version"], { NODE_OPTIONS: `--import ${module}` });
    expect([code, stderr]).toEqual([70, expect.stringMatching(/^gpu-offers: .*outside of the command.*\n$/)]);
  },
);
