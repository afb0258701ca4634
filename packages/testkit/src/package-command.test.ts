import { chmodSync, existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import { expect, test } from "vitest";
import { startCommand } from "./running-process.ts";
import { tempFolder } from "./temp-folder.ts";

const COUNT = 2_000;

test("an installation appears complete or not at all", async () => {
  const folder = tempFolder();
  const bin = join(folder, "bin");
  mkdirSync(bin);
  // An npm that installs many files.
  writeFileSync(join(bin, "npm"), `#!/bin/sh\nmkdir node_modules && cd node_modules && seq ${COUNT} | xargs touch\n`);
  chmodSync(join(bin, "npm"), 0o755);
  const installer = new URL("./package-command.ts", import.meta.url).href;
  const program = `import { findPackages } from ${JSON.stringify(installer)}; console.log(findPackages(["a@1"]));`;
  const running = startCommand(process.execPath, ["--input-type=module", "-e", program], {
    PATH: [bin, process.env["PATH"]].join(delimiter),
    TMPDIR: folder,
  });
  const modules = join(folder, "gpu-offers-tools", "a@1", "node_modules");
  while (!existsSync(modules) && running.child.exitCode === null) {
    await turn();
  }
  expect(readdirSync(modules)).toHaveLength(COUNT);
  expect(await running.ended).toMatchObject({ code: 0, stdout: `${join(modules, "..")}\n`, stderr: "" });
});
