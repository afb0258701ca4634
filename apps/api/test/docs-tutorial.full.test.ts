import { readFileSync, symlinkSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { databaseUrlOf } from "@gpu-offers/testkit/admin";
import { liveSettings, startLinode } from "@gpu-offers/testkit/linode-server";
import { startCommand } from "@gpu-offers/testkit/running-process";
import { startService } from "@gpu-offers/testkit/service";
import { tempFolder } from "@gpu-offers/testkit/temp-folder";

// Runs the ```sh blocks of a page in order, like a reader, and compares the output of each with the ```text block below it.
// A test server stands in for the provider whose prices are fetched.

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));

interface Step {
  commands: string;
  /** The documented output of the commands; `...` stands for anything. */
  printed: string;
}

function stepsOf(page: string): Step[] {
  const text = readFileSync(`${ROOT}docs/${page}`, "utf8");
  const blocks = text.matchAll(/^```sh\n(.*?)^```\n(?:\n```text\n(.*?)^```\n)?/gms);
  return Array.from(blocks, ([, commands = "", printed = "..."]) => ({ commands, printed }));
}

/** A pattern for output, ignoring the length of spaces: a line `...` is any lines, and `...` in a line any text or none. */
function patternOf(printed: string): RegExp {
  const lines = joinSpaces(printed)
    .trim()
    .split("\n")
    .map((line) =>
      line === "..."
        ? "(?:.*\\n)*"
        : `${line
            .split(/ ?\.{3} ?/)
            .map(escapePattern)
            .join(".*")}\\n`,
    );
  return new RegExp(`^${lines.join("")}`, "m");
}

const escapePattern = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);

const joinSpaces = (text: string): string => text.replaceAll(/ +/g, " ").replaceAll(/^ | $/gm, "");

describe.each(["tutorial.md", "recipes.md", "operations/accounts.md"])("docs/%s", (page) => {
  test("every command works and prints the documented output", { timeout: 600_000 }, async () => {
    const settings = liveSettings(await startLinode(), ["linode"]);
    const service = await startService({ settings });
    const folder = tempFolder();
    symlinkSync(`${ROOT}bin`, `${folder}/bin`);
    symlinkSync(`${ROOT}apps`, `${folder}/apps`);
    const environment = {
      // Like in the reader's own shell: the first command installs and builds, which may need network settings.
      ...(process.env as Record<string, string>),
      ...settings,
      XDG_CONFIG_HOME: folder,
      DATABASE_URL: databaseUrlOf(service.databasePath),
      GPU_OFFERS_URL: service.url,
      COLUMNS: "200",
    };
    const steps = stepsOf(page);
    expect(steps.length).toBeGreaterThan(3);
    for (const { commands, printed } of steps) {
      const script = commands.replaceAll("http://127.0.0.1:3000", service.url);
      // What a reader sees in the terminal: both outputs, in order.
      const shell = ["-e", "-c", `exec 2>&1\n${script}`];
      const { code, stdout } = await startCommand("sh", shell, environment, { cwd: folder }).ended;
      expect({ commands, code, stdout: code === 0 ? "" : stdout }).toEqual({ commands, code: 0, stdout: "" });
      expect(`${joinSpaces(stdout)}\n`).toMatch(patternOf(printed));
    }
  });
});
