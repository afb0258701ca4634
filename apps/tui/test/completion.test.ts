import { spawnSync } from "node:child_process";
import { beforeAll, describe, expect, test } from "vitest";
import { run } from "./program.ts";

describe("the manual page", () => {
  let stdout: string;
  beforeAll(async () => {
    ({ stdout } = await run(["man"]));
  });

  test("names every option, command and exit code", () => {
    for (const part of [".TH GPU", "\\-\\-min\\-vram", "compare <ids>", "128+n", "GPU_OFFERS_URL"]) {
      expect(stdout).toContain(part);
    }
    expect(stdout).not.toContain("complete <kind>");
  });

  const hasGroff = spawnSync("groff", ["--version"]).status === 0;
  test.skipIf(!hasGroff)(`is without warnings${hasGroff ? "" : " (SKIPPED: no groff here)"}`, () => {
    const checked = spawnSync("groff", ["-man", "-ww", "-Tutf8"], { input: stdout, encoding: "utf8" });
    expect(checked).toMatchObject({ status: 0, stderr: "" });
  });
});
