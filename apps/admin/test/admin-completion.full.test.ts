import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { admin, adminDone } from "@gpu-offers/testkit/admin";
import { builtProgram, startCommand } from "@gpu-offers/testkit/running-process";
import { tempDatabase, tempFolder } from "@gpu-offers/testkit/temp-folder";

describe("completion", () => {
  for (const shell of ["bash", "zsh", "fish"]) {
    const isHere = spawnSync(shell, ["--version"]).status === 0;
    test.skipIf(!isHere)(
      `is a script that ${shell} can read${isHere ? "" : ` (SKIPPED: ${shell} is missing)`}`,
      async () => {
        const { stdout } = await adminDone(tempDatabase(), "completion", shell);
        const script = join(tempFolder(), "completion");
        writeFileSync(script, stdout);
        expect(await startCommand(shell, ["-n", script]).ended).toMatchObject({ code: 0, stderr: "" });
      },
    );
  }

  test("completes commands, options and their values in bash", async () => {
    const folder = tempFolder();
    const command = `#!/bin/sh\nexec "${process.execPath}" "${builtProgram("apps/api/dist/admin/main.js")}" "$@"\n`;
    writeFileSync(join(folder, "gpu-offers-admin"), command, { mode: 0o755 });
    const { stdout: script } = await adminDone(tempDatabase(), "completion", "bash");
    const completed = async (...words: string[]): Promise<string[]> => {
      const line = `PATH="${folder}:$PATH"\n${script}\nCOMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _gpu_offers_admin; printf '%s\\n' "\${COMPREPLY[@]}"`;
      const { stdout } = await startCommand("bash", ["-c", line, "bash", "gpu-offers-admin", ...words]).ended;
      return stdout.trim().split("\n");
    };
    expect(await completed("ca")).toEqual(["catalog"]);
    expect(await completed("catalog", "")).toEqual(expect.arrayContaining(["import", "status", "export", "remove"]));
    expect(await completed("catalog", "import", "file", "--format", "")).toEqual(["native", "skypilot", "api", "csv"]);
    expect(await completed("catalog", "export", "--f")).toEqual(["--force"]);
    expect(await completed("credit", "add", "--acc")).toEqual(["--account"]);
    expect(await completed("completion", "z")).toEqual(["zsh"]);
  });

  test("lists the supported shells for an unknown one", async () => {
    expect(await admin(tempDatabase(), "completion", "csh")).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/Allowed choices are bash, zsh, fish\./) as string,
    });
  });
});
