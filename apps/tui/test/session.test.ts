import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startProcess } from "../../api/test/running-process.ts";
import { startService, type Service } from "../../api/test/service.ts";
import { tempFolder } from "../../api/test/temp-folder.ts";
import { PROGRAM, run } from "./program.ts";
import { HAS_TMUX, TmuxShell } from "./tmux.ts";

// Whole sessions in a real terminal against the real service.

let service: Service;
let key: string;
beforeAll(async () => {
  service = await startService();
  const settings = { DATABASE_URL: `sqlite:${service.databasePath}` };
  const admin = (...args: string[]) => startProcess("admin/main.js", args, settings).ended;
  await admin("account", "create", "--email", "ada@example.com", "--name", "Ada");
  await admin("credit", "add", "--account", "ada@example.com", "--amount", "212.40", "--reference", "first");
  key = (await admin("key", "create", "--account", "ada@example.com")).stdout.split("\n")[0] ?? "";
});

const shells: TmuxShell[] = [];
afterAll(() => {
  for (const shell of shells) {
    shell.close();
  }
});

/** A shell with the picker's settings, and what a session leaves behind in its folder. */
function open(settings: Readonly<Record<string, string>> = {}) {
  const folder = tempFolder();
  const shell = new TmuxShell(folder, {
    GPU_OFFERS_URL: service.url,
    GPU_OFFERS_API_KEY: key,
    HOME: folder,
    ...settings,
  });
  shells.push(shell);
  const picker = `${process.execPath} ${PROGRAM}`;
  return {
    shell,
    /** Runs the picker between two looks at the terminal's settings. */
    start: (args = "", input = "") =>
      shell.enter(`stty -a >before; ${input}${picker} ${args} >out; echo "ended $?"; stty -a >after; echo done`),
    /** Runs a command line with the picker's name replaced by what starts it. */
    enter: (line: string) => shell.enter(line.replaceAll("PICKER", picker)),
    read: (name: string) => readFileSync(join(folder, name), "utf8"),
    has: (name: string) => existsSync(join(folder, name)),
  };
}

describe.skipIf(!HAS_TMUX)("a session in tmux (skipped where tmux is not installed)", () => {
  it("goes from a burst of keys to the same JSON as a script's", async () => {
    const { shell, start, read } = open();
    start("--disk 500 --available");
    await shell.sees(/375 offers/);
    shell.type("/h100 eu\r");
    await shell.sees(/22 of 375|\d+ of 375/);
    shell.type("ssgg");
    await shell.sees(/H\+DISK↑/);
    shell.press("Enter");
    await shell.sees(/Offer ✓ › Image/);
    shell.press("j", "Enter");
    await shell.sees(/Disk GB \[ 500/);
    shell.press("Enter");
    await shell.sees(/os_image_id +(\S+)/);
    shell.press("Enter");
    await shell.sees(/ended 0[^]*done/);
    const picked = JSON.parse(read("out")) as { deployment: { os_image_id: string }; estimate: object };
    const script = await run(
      ["--first", "--text", "h100 eu", "--disk", "500", "--sort", "total", "--image", picked.deployment.os_image_id],
      { GPU_OFFERS_URL: service.url },
    );
    const anyTime = { estimate: { ...picked.estimate, asOf: expect.any(String) as unknown } };
    expect(JSON.parse(script.stdout)).toEqual({ ...picked, ...anyTime });
    expect(read("out").split("\n")).toHaveLength(2);
    expect(read("after")).toBe(read("before"));
  });

  it("loses no key of a burst", async () => {
    const { shell, start } = open();
    start();
    await shell.sees(/375 offers/);
    shell.type(`${"j".repeat(60)}${"k".repeat(20)}`);
    await shell.sees(/\n ?\d+–\d+ of 375/);
    await shell.sees(/ 11%$/m);
    shell.type("q");
    await shell.sees(/ended 130/);
  });

  it.each([
    ["Ctrl-C in the list", ["C-c"]],
    ["Ctrl-C in the filter field", ["/", "h", "C-c"]],
    ["q", ["q"]],
  ])("prints nothing and ends with 130 on %s", async (_, keys) => {
    const { shell, start, read } = open();
    start();
    await shell.sees(/375 offers/);
    shell.press(...keys);
    const screen = await shell.sees(/ended 130[^]*done/);
    expect(read("out")).toBe("");
    expect(read("after")).toBe(read("before"));
    expect(screen).not.toContain("gpu-offers ...");
  });

  it("restores the terminal when it is told to end", async () => {
    const { shell, enter, read } = open();
    enter(`stty -a >before; sh -c 'echo $$ >pid; exec PICKER >out'; echo "ended $?"; stty -a >after; echo done`);
    await shell.sees(/375 offers/);
    process.kill(Number(read("pid")), "SIGTERM");
    await shell.sees(/ended 143[^]*done/);
    expect(read("after")).toBe(read("before"));
  });

  it("follows the size of its window", async () => {
    const { shell, start } = open();
    start();
    await shell.sees(/375 offers/);
    shell.resize(140, 40);
    await shell.sees(/│ architecture/);
    shell.resize(30, 8);
    await shell.sees(/^gpu-offers needs 40x10/);
    shell.resize(60, 20);
    expect(await shell.sees(/\? help {2}q quit/)).not.toContain("needs 40x10");
    shell.type("q");
    await shell.sees(/ended 130/);
  });

  it("comes back from a suspension where it was, and leaves nothing on the screen", async () => {
    const { shell, enter } = open();
    enter("PICKER");
    await shell.sees(/375 offers/);
    shell.type("jj");
    shell.press("C-z");
    await shell.sees(/Stopped/);
    shell.enter("fg");
    await shell.sees(/❯ V100 SXM \S+ +2/);
    shell.type("q");
    await shell.sees(/Stopped/);
    shell.enter("echo code $?");
    expect(await shell.sees(/code 130/)).not.toContain("V100");
  });

  it.each([
    ["a closed pipe", "PICKER | true", "C-c"],
    ["CI=true", "CI=true PICKER", "q"],
    ["standard input that is no terminal", "echo | PICKER", "q"],
    ["standard error that is no terminal", "PICKER 2>errors", "q"],
  ])("draws with %s", async (_, line, key_) => {
    const { shell, enter, read, has } = open();
    enter(`${line}; echo "ended \${PIPESTATUS[*]}"`);
    await shell.sees(/375 offers/);
    shell.press(key_);
    expect(await shell.sees(/ended [\d ]*130/)).not.toContain("Error");
    expect(has("errors") ? read("errors") : "").toBe("");
  });

  it("asks by numbers on a terminal that cannot repaint", async () => {
    const { shell, enter, read } = open({ ACCESSIBLE: "1" });
    enter('PICKER --gpu h100-sxm --disk 500 --available >out; echo "ended $?"');
    await shell.sees(/Number to pick/);
    shell.type("2\r");
    await shell.sees(/Number of the image|Disk in GB|Enter to take/);
    shell.type("\r");
    await shell.sees(/Disk in GB|Enter to take|ended/);
    shell.type("\r");
    await shell.sees(/Enter to take|ended/);
    shell.type("\r");
    await shell.sees(/ended 0/);
    expect(JSON.parse(read("out"))).toHaveProperty("deployment.provider");
  });

  it("keeps its rows, marked as old, when the server goes away", async () => {
    const { shell, start } = open();
    const mortal = await startService();
    shell.enter(`export GPU_OFFERS_URL=${mortal.url}`);
    start();
    await shell.sees(/375 offers/);
    await mortal.stop();
    shell.type("R");
    expect(await shell.sees(/STALE retry in \d+s/)).toMatch(/RTX A4000/);
    shell.type("q");
    await shell.sees(/ended 130/);
  });
});
