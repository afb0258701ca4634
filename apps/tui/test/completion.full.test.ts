import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { startServer } from "@gpu-offers/testkit/http-server";
import { startService, type Service } from "@gpu-offers/testkit/service";
import { tempFolder } from "@gpu-offers/testkit/temp-folder";
import { PROGRAM, run } from "./program.ts";

let service: Service;
beforeAll(async () => {
  service = await startService();
});

describe("values for completion", () => {
  test.concurrent.each([
    ["--provider", "hyperstack"],
    ["--country", "NO"],
    ["--country", "united-states"],
    ["--os", "ubuntu-22.04"],
    ["--image", "linode/debian13"],
  ])("of %s have %s", async (option, value) => {
    const { code, stdout } = await run(["complete", "--", option, ""], { GPU_OFFERS_URL: service.url });
    expect(code).toBe(0);
    expect(stdout.split("\n")).toContain(value);
  });

  test("are empty, without delay, if the server hangs", async () => {
    const { url } = await startServer(() => {});
    const beganMs = performance.now();
    const options = ["--provider", "--region", "--image"];
    const ended = await Promise.all(options.map((option) => run(["complete", "--url", url, "--", option, ""])));
    expect(ended).toEqual(options.map(() => ({ code: 0, stdout: "", stderr: "" })));
    expect(performance.now() - beganMs).toBeLessThan(8000);
  });
});

/** A folder with the program by its name. */
function installed(): string {
  const folder = tempFolder();
  const script = `#!/bin/sh\nexec "${process.execPath}" "${PROGRAM}" "$@"\n`;
  writeFileSync(join(folder, "gpu-offers"), script, { mode: 0o755 });
  return folder;
}

describe("completions", () => {
  for (const shell of ["bash", "zsh", "fish"]) {
    const isHere = spawnSync(shell, ["--version"]).status === 0;
    test.skipIf(!isHere)(`can be read by ${shell}${isHere ? "" : ` (SKIPPED: no ${shell} here)`}`, async () => {
      const { stdout } = await run(["completion", shell]);
      const path = join(tempFolder(), "completion");
      writeFileSync(path, stdout);
      const child = spawn(shell, ["-n", path], { stdio: ["ignore", "ignore", "inherit"] });
      expect(await once(child, "close")).toEqual([0, null]);
    });
  }

  const hasFish = spawnSync("fish", ["--version"]).status === 0;
  test.skipIf(!hasFish)(`are words with descriptions in fish${hasFish ? "" : " (SKIPPED: no fish here)"}`, async () => {
    const folder = installed();
    writeFileSync(join(folder, "completion"), (await run(["completion", "fish"])).stdout);
    const completed = (line: string): string => {
      const { stdout } = spawnSync("fish", ["--no-config", "-c", `. completion; complete -C "${line}"`], {
        cwd: folder,
        encoding: "utf8",
        env: { ...process.env, HOME: folder, PATH: `${folder}:${process.env["PATH"]}` },
      });
      return stdout;
    };
    expect(completed("gpu-offers --gpu h100,a100-s")).toMatch(/^h100,a100-sxm-80gb\b/m);
    expect(completed("gpu-offers --catalog com")).toMatch(/^completion\b/m);
    expect(completed("gpu-offers tr")).toBe("trend\tShow what a GPU cost over time\n");
    expect(completed("gpu-offers ")).toContain("list\t");
  });

  test("are flags, their values and names of providers in bash", async () => {
    const folder = installed();
    writeFileSync(join(folder, "completion"), (await run(["completion", "bash"])).stdout);
    const completed = async (...words: string[]): Promise<string[]> => {
      const line = `. "${folder}/completion"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _gpu_offers; printf '%s\\n' "\${COMPREPLY[@]}"`;
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
    const fromCatalog = [completed("images", "hyp"), completed("--provider", "hyp"), completed("--country", "NO")];
    expect(await Promise.all(fromCatalog)).toEqual([["hyperstack"], ["hyperstack"], ["NO", "norway"]]);
    expect(await completed("--country", "Ger")).toEqual(["germany"]);
    expect(await completed("--provider", "V")).toContain("verda");
    expect(await completed("--gpu", "H1")).toContain("h100");
    expect(await completed("--gpu", "h100-sxm,a100-s")).toContain("h100-sxm,a100-sxm-80gb");
    const ids = await completed("show", "");
    expect(ids.length).toBeGreaterThan(100);
    expect(await completed("compare", ids[0] ?? "", (ids[1] ?? "").slice(0, 8))).toContain(ids[1]);
    expect(await completed("show", "--form")).toEqual(["--format"]);
    expect(await completed("--cuda", "12.")).toEqual(["12.8", "12.9"]);
    expect(await completed("--catalog", `${folder}/com`)).toEqual([`${folder}/completion`]);
  });
});
