import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { startService } from "@gpu-offers/testkit/service";
import { createProgram } from "../src/cli/program.ts";
import { HAS_TMUX, IN_TMUX, useSessions } from "./picker-shell.ts";

// Whole sessions in a real terminal against the real service.

const { open } = useSessions();

describe.skipIf(!HAS_TMUX)(`a session ${IN_TMUX}`, () => {
  test("shows its name only for the picker, not for commands", async () => {
    const { shell, enter } = open();
    shell.record();
    const { commands } = createProgram({
      environment: {},
      print: () => {},
      notify: () => {},
      pick: () => Promise.resolve(),
    });
    const names = commands.map((command) => command.name()).join(" ");
    enter(`for command in ${names}; do PICKER $command </dev/null >/dev/null & done; wait; clear; echo ended`);
    await shell.sees(/^ended$/m);
    expect(commands.length).toBeGreaterThan(5);
    expect(await shell.recorded()).not.toContain(" gpu-offers ...\r");
  });

  test("adapts to the size of a terminal opened as /dev/tty", async () => {
    const { shell, enter } = open();
    enter("echo | PICKER 2>errors");
    await shell.sees(/375 offers/);
    shell.resize(140, 40);
    await shell.sees(/│ architecture/);
    shell.resize(60, 12);
    await shell.sees(/\n 1 of \d+ /);
    shell.type("q");
    await shell.sees(/\n\$\s*$/);
  });

  // A machine under load can take over 200 ms between the two, which makes the first an Esc.
  test("takes an arrow whose Esc came 150 ms earlier for an arrow", { retry: 3 }, async () => {
    const { shell, start } = open();
    start();
    await shell.sees(/375 offers/);
    shell.type("/h100\r");
    await shell.sees(/ \d+ of 375 offers[^]* \/ h100[^]*Enter choose/);
    shell.type("\u001B");
    await wait(150);
    shell.type("[B");
    expect(await shell.sees(/^ 2 of /m)).toContain(" / h100");
    shell.type("\u001B");
    await shell.sees(/ 375 offers/);
  });

  test("uses colors with its output piped, and none with NO_COLOR", async () => {
    const drawn = async (line: string): Promise<string> => {
      const { shell, enter } = open();
      shell.record();
      enter(line);
      await shell.sees(/375 offers/);
      // The words that are found have a color.
      shell.type("/h100");
      // A frame of its own: keys that arrive together are drawn together.
      await shell.sees(/ of 375 offers/);
      shell.press("Enter");
      await shell.sees(/x clear all/);
      shell.type("q");
      await shell.sees(/\n\$\s*$/);
      return shell.recorded();
    };
    const hasColor = (raw: string): boolean =>
      raw.split("\u001b[").some((part, place) => place > 0 && /^(?:\d+;)*(?:3\d|9\d)(?:;\d+)*m/.test(part));
    expect(hasColor(await drawn("PICKER | cat"))).toBe(true);
    expect(hasColor(await drawn("FORCE_COLOR=1 NO_COLOR=1 PICKER | cat"))).toBe(true);
    const plain = await drawn("NO_COLOR=1 PICKER");
    expect(hasColor(plain)).toBe(false);
    expect(plain).toContain("\u001b[1m");
    expect(plain).toContain("❯");
  });

  test("restores the screen before it is stopped by a signal, even with the first frame", async () => {
    const { shell, enter, read } = open();
    enter(`set -m; stty -a >before; sh -c 'echo $$ >pid; exec PICKER >out'`);
    while (shell.flags("alternate_on")[0] === "0") {
      await wait(1);
    }
    process.kill(Number(read("pid")), "SIGTSTP");
    expect(await shell.sees(/Stopped/)).not.toContain("375 offers");
    shell.enter("stty -a >stopped; fg");
    await shell.sees(/375 offers/);
    shell.type("q");
    await shell.sees(/Stopped[^]*\$ *\n*$/);
    expect(read("stopped")).toContain(" icanon");
  });

  test("ignores Ctrl-Z where no shell could resume it", async () => {
    const { shell, enter } = open();
    // In a session of its own, no shell would ever continue a stopped process.
    enter(`script -qec 'PICKER' /dev/null; echo "ended $?"`);
    await shell.sees(/375 offers/);
    shell.press("j", "C-z", "j");
    await shell.sees(/❯\? 2× V100 SXM/);
    shell.type("q");
    await shell.sees(/ended 130/);
  });

  test("keeps its rows, marked as stale, if the server stops responding", async () => {
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
