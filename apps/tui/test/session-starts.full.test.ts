import { describe, expect, test } from "vitest";
import { HAS_TMUX, IN_TMUX, useSessions } from "./picker-shell.ts";

// Whole sessions in a real terminal against the real service.

const { open } = useSessions();

describe.skipIf(!HAS_TMUX)(`a session ${IN_TMUX}`, () => {
  test.each([
    ["a closed pipe", "PICKER | true", "C-c"],
    ["CI=true", "CI=true PICKER", "q"],
    ["redirected standard input", "echo | PICKER", "q"],
    ["redirected standard error", "PICKER 2>errors", "q"],
  ])("draws with %s", async (_, line, key_) => {
    const { shell, enter, read, has } = open();
    enter(`${line}; echo "ended \${PIPESTATUS[*]}"`);
    await shell.sees(/375 offers/);
    shell.press(key_);
    expect(await shell.sees(/ended [\d ]*130/)).not.toContain("Error");
    expect(has("errors") ? read("errors") : "").toBe("");
  });

  test.each([
    ["for ACCESSIBLE=1", "ACCESSIBLE=1 PICKER"],
    ["for --accessible", "PICKER --accessible"],
    ["on a terminal that cannot repaint", "TERM=dumb PICKER"],
  ])("asks by numbers %s", async (_, picker) => {
    const { shell, enter, read } = open();
    shell.record();
    enter(`${picker} --gpu h100-sxm --disk 500 >out; echo "ended $?"`);
    await shell.sees(/Number to choose/);
    shell.type("2\r");
    await shell.sees(/Number of the image|Disk in GB|Accept\?/);
    shell.type("\r");
    await shell.sees(/Disk in GB|Accept\?|ended/);
    shell.type("\r");
    await shell.sees(/Accept\?|ended/);
    shell.type("\r");
    await shell.sees(/ended 0/);
    expect(JSON.parse(read("out"))).toHaveProperty("deployment.provider");
    // The only escape codes are those of the shell itself.
    expect(await shell.recorded()).not.toContain("\u001b[?1049h");
  });
});
