import { expect, test } from "vitest";
import { admin } from "./admin.ts";
import { tempDatabase } from "./temp-folder.ts";

test.concurrent.for([["--help"], ["catalog", "--help"], ["catalog", "import", "--help"], ["help"]])(
  "%s is help, and no fault",
  async (args) => {
    const ended = await admin(tempDatabase(), ...args);
    expect(ended).toMatchObject({ code: 0, stderr: "", stdout: expect.stringMatching(/^Usage: gpu-offers-admin/) });
  },
);
