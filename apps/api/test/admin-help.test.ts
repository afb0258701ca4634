import { existsSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { admin } from "@gpu-offers/testkit/admin";
import { tempDatabase } from "@gpu-offers/testkit/temp-folder";

const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as {
  version: string;
};

describe("the help", () => {
  const database = tempDatabase();

  test("of the program lists the exit codes, and --version prints the package version", async () => {
    const { code, stdout } = await admin(database, "--help");
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^Exit codes:\n {2}0 {2}success\n {2}1 {2}failed; no changes \(source enable and source sync may have made some\)\n {2}2 {2}invalid usage/m,
    );
    expect(await admin(database, "--version")).toMatchObject({ code: 0, stdout: `${version}\n`, stderr: "" });
  });

  test("of each command has an example, with --json if it prints a result", { timeout: 120_000 }, async () => {
    const commands = async (group: string): Promise<string[]> => {
      const { stdout } = await admin(database, ...group.split(" ").filter(Boolean), "--help");
      const [, list = ""] = /\nCommands:\n((?: {2}.*\n)+)/.exec(stdout) ?? [];
      return [...list.matchAll(/^ {2}([a-z]+)/gm)].map(([, name = ""]) => `${group} ${name}`.trim());
    };
    const groups = (await commands("")).filter((name) => !/^(?:help|verify|completion)$/.test(name));
    const leaves = ["verify", "completion", ...(await Promise.all(groups.map(commands))).flat()].filter(
      (name) => !name.endsWith(" help"),
    );
    // A minimum, so that no command is skipped by mistake.
    expect(leaves).toHaveLength(29);
    const helps = await Promise.all(
      leaves.map(async (leaf) => ({ leaf, ended: await admin(database, ...leaf.split(" "), "--help") })),
    );
    for (const {
      leaf,
      ended: { code, stdout },
    } of helps) {
      expect([leaf, code]).toEqual([leaf, 0]);
      expect(stdout).toMatch(new RegExp(`\nExamples?:\n(?:  .*\n)*?  .*gpu-offers-admin ${leaf}\\b`));
      // These print a catalog in its own format, or a script.
      expect([leaf, stdout.includes("--json")]).toEqual([
        leaf,
        !/^(?:catalog (?:export|history)|completion)$/.test(leaf),
      ]);
      expect(stdout).not.toMatch(/\(default:\s+(?:""|\{)/);
    }
    expect(existsSync(database)).toBe(false);
  });
});

test.concurrent.for([["--help"], ["catalog", "--help"], ["catalog", "import", "--help"], ["help"]])(
  "%s prints help and succeeds",
  async (args) => {
    const ended = await admin(tempDatabase(), ...args);
    expect(ended).toMatchObject({ code: 0, stderr: "", stdout: expect.stringMatching(/^Usage: gpu-offers-admin/) });
  },
);
