import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { startService, type Service } from "@gpu-offers/testkit/service";
import { tempFolder } from "@gpu-offers/testkit/temp-folder";
import { PROGRAM, run } from "./program.ts";

let service: Service;
beforeAll(async () => {
  service = await startService();
});

describe("completions", () => {
  for (const shell of ["bash", "zsh", "fish"]) {
    const isHere = spawnSync(shell, ["--version"]).status === 0;
    it.skipIf(!isHere)(`can be read by ${shell}${isHere ? "" : ` (SKIPPED: no ${shell} here)`}`, async () => {
      const { stdout } = await run(["completion", shell]);
      expect(stdout).toContain("max-total");
      const path = join(tempFolder(), "completion");
      writeFileSync(path, stdout);
      const child = spawn(shell, ["-n", path], { stdio: ["ignore", "ignore", "inherit"] });
      expect(await once(child, "close")).toEqual([0, null]);
    });
  }

  it("are flags, their values and names of providers in bash", async () => {
    const folder = tempFolder();
    writeFileSync(join(folder, "gpu-offers"), `#!/bin/sh\nexec "${process.execPath}" "${PROGRAM}" "$@"\n`, {
      mode: 0o755,
    });
    const completed = async (...words: string[]): Promise<string[]> => {
      const line = `eval "$(gpu-offers completion bash)"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _gpu_offers; printf '%s\\n' "\${COMPREPLY[@]}"`;
      const child = spawn("bash", ["-c", line, "bash", "gpu-offers", ...words], {
        env: { PATH: `${folder}:${process.env["PATH"]}`, GPU_OFFERS_URL: service.url, XDG_CONFIG_HOME: folder },
        stdio: ["ignore", "pipe", "inherit"],
      });
      let stdout = "";
      child.stdout.on("data", (text: Buffer) => (stdout += text.toString()));
      await once(child, "close");
      return stdout.trim().split("\n");
    };
    expect(await completed("--sort", "p")).toEqual(["pricePerGpu", "priceHourly"]);
    expect(await completed("--max-t")).toEqual(["--max-total"]);
    expect(await completed("images", "hyp")).toEqual(["hyperstack"]);
  });
});
