import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { run } from "./program.ts";
import { HAS_TMUX, IN_TMUX, useSessions } from "./picker-shell.ts";

// Whole sessions in a real terminal against the real service.

const { open, settings } = useSessions();

/** The whole list is loaded, so the picker draws nothing until the next key. */
const LOADED = /375 offers[^]* of \d+ rows {2}/;

describe.skipIf(!HAS_TMUX)(`a session ${IN_TMUX}`, () => {
  test("prints the same JSON for a burst of keys as a script", async () => {
    const { shell, start, read } = open();
    start("--disk 500");
    await shell.sees(/375 offers/);
    shell.type("/h100 eu runpod\r");
    await shell.sees(/ \d+ of 375 offers/);
    shell.type("ssgg");
    await shell.sees(/H\+500GB↑/);
    shell.press("Enter");
    await shell.sees(/Offer ✓ › Image/);
    shell.press("j", "Enter");
    await shell.sees(/Disk GB \[ 500/);
    shell.press("Enter");
    await shell.sees(/os_image_id +(\S+)/);
    shell.press("Enter");
    await shell.sees(/gpu-offers: chosen: \d+× H100 [^]*ended 0[^]*done/);
    const picked = JSON.parse(read("out")) as { deployment: { os_image_id: string } };
    const script = await run(
      [
        "--first",
        "--sample",
        "--text",
        "h100 eu runpod",
        "--disk",
        "500",
        "--sort",
        "total",
        "--image",
        picked.deployment.os_image_id,
      ],
      settings(),
    );
    expect(JSON.parse(script.stdout)).toEqual(picked);
    expect(read("out").split("\n")).toHaveLength(2);
    expect(read("after")).toBe(read("before"));
  });

  test("shows its name before anything is loaded, with any flags", async () => {
    const { shell, enter } = open();
    shell.record();
    enter("PICKER --sort total --provider verda");
    await shell.sees(/ offers/);
    shell.type("q");
    await shell.sees(/\n\$\s*$/);
    expect(await shell.recorded()).toContain(" gpu-offers ...\r");
  });

  test("loses no key of a burst, and copies the current offer to the terminal's clipboard", async () => {
    const { shell, start } = open();
    shell.record();
    start();
    await shell.sees(/375 offers/);
    shell.type(`${"j".repeat(60)}${"k".repeat(20)}`);
    await shell.sees(/^ 41 of /m);
    shell.type("y");
    const [, id = ""] = /^ copied ([\da-f-]{36})$/m.exec(await shell.sees(/^ copied [\da-f-]{36}$/m)) ?? [];
    shell.type("q");
    await shell.sees(/ended 130/);
    expect(await shell.recorded()).toContain(`\u001b]52;c;${Buffer.from(id).toString("base64")}\u0007`);
  });

  test.each([
    ["Ctrl-C in the list", ["C-c"]],
    ["Ctrl-C in the filter field", ["/", "h", "C-c"]],
    ["q", ["q"]],
  ])("prints nothing and exits with 130 on %s", async (_, keys) => {
    const { shell, start, read } = open();
    start();
    await shell.sees(/375 offers/);
    shell.press(...keys);
    const screen = await shell.sees(/ended 130[^]*done/);
    expect(read("out")).toBe("");
    expect(read("after")).toBe(read("before"));
    expect(screen).not.toContain("gpu-offers ...");
  });

  test.each([
    ["SIGTERM", 143],
    ["SIGHUP", 129],
    ["SIGINT", 130],
  ])("restores the terminal on %s", async (signal, code) => {
    const { shell, enter, read } = open();
    enter(`stty -a >before; sh -c 'echo $$ >pid; exec PICKER >out'; echo "ended $?"; stty -a >after; echo done`);
    await shell.sees(/375 offers/);
    process.kill(Number(read("pid")), signal);
    await shell.sees(new RegExp(`ended ${code}[^]*done`));
    expect(read("after")).toBe(read("before"));
    expect(read("out")).toBe("");
  });

  test("restores the terminal after an internal error, then prints the error", async () => {
    const { shell, enter, read, folder } = open({ NODE_OPTIONS: "--require ./broken.cjs" });
    writeFileSync(join(folder, "broken.cjs"), "process.on('SIGUSR2', () => { throw new Error('boom'); });");
    enter(`stty -a >before; sh -c 'echo $$ >pid; exec PICKER >out'; echo "ended $?"; stty -a >after; echo done`);
    await shell.sees(/375 offers/);
    process.kill(Number(read("pid")), "SIGUSR2");
    const screen = await shell.sees(/ended 70[^]*done/);
    expect(screen).toMatch(/gpu-offers: internal error, please report it: Error: boom/);
    expect(screen).not.toContain("375 offers");
    expect(read("after")).toBe(read("before"));
    expect(read("out")).toBe("");
  });

  test("adapts to the window size", async () => {
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

  test("moves with the wheel, and chooses with clicks", async () => {
    const { shell, start } = open();
    shell.record();
    start();
    await shell.sees(/375 offers/);
    expect(shell.flags("alternate_on", "mouse_any_flag")).toEqual(["1", "1"]);
    shell.type("\u001B[<65;10;8M");
    await shell.sees(/^ 4 of /m);
    shell.type("\u001B[<64;10;8M\u001B[<64;10;8M");
    await shell.sees(/^ 1 of /m);
    // The third row is on the sixth line.
    shell.type("\u001B[<0;10;6M\u001B[<0;10;6m");
    await shell.sees(/^ 3 of /m);
    shell.type("/h100");
    await shell.sees(/ \d+ of 375 offers[^]* \/ h100/);
    shell.type("\u001B[<0;10;6M\u001B[<0;10;6m");
    await shell.sees(/^ 2 of [^]*Enter choose/m);
    shell.type("\u001B[<0;10;6M\u001B[<0;10;6m");
    await shell.sees(/Enter (?:next|accept)/);
    shell.press("C-c");
    await shell.sees(/ended 130[^]*done/);
    expect(await shell.recorded()).toMatch(/\[\?1049h[^]*\[\?1000h.\[\?1006h[^]*\[\?1006l.\[\?1000l[^]*\[\?1049l/);
  });

  test("resumes where it was suspended, also in a text field, and leaves nothing on the screen", async () => {
    const { shell, enter } = open();
    enter("PICKER");
    await shell.sees(LOADED);
    shell.type("jj");
    shell.press("C-z");
    await shell.sees(/Stopped/);
    shell.enter("fg");
    await shell.sees(/❯\? 2× V100 SXM/);
    shell.type("/h100");
    await shell.sees(/ \/ h100/);
    shell.press("C-z");
    await shell.sees(/Stopped[^]*Stopped/);
    shell.enter("fg");
    await shell.sees(/ \/ h100/);
    shell.press("C-c");
    await shell.sees(/Stopped[^]*Stopped/);
    shell.enter("echo code $?");
    expect(await shell.sees(/code 130/)).not.toMatch(/V100|H100/);
  });
});
