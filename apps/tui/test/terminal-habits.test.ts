import { fileURLToPath } from "node:url";
import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { asciiText, needsAscii } from "../src/screen/pick.tsx";
import { textWidth } from "../src/text/width.ts";
import { DrivenPicker, NOW_MS } from "./driven-picker.ts";
import { offersOf } from "./offers.ts";
import { openShell } from "./picker-shell.ts";
import { VirtualScreen } from "./virtual-screen.tsx";

const STARTER = fileURLToPath(new URL("../../api/catalog/starter.json", import.meta.url));

describe("a terminal without UTF-8", () => {
  test("is one whose environment names another character set", () => {
    expect(needsAscii({ LANG: "en_US.UTF-8" })).toBe(false);
    expect(needsAscii({ LC_ALL: "C.utf8", LANG: "C" })).toBe(false);
    expect(needsAscii({})).toBe(false);
    expect(needsAscii({ LC_ALL: "", LANG: "C" })).toBe(true);
    expect(needsAscii({ LC_CTYPE: "de_DE.ISO-8859-1", LANG: "en_US.UTF-8" })).toBe(true);
  });

  test("gets ASCII characters of the same width", async () => {
    const screen = new VirtualScreen(80, 24);
    await screen.show(new DrivenPicker(offersOf(30)).press(" ", "s").state);
    for (const line of screen.rows()) {
      const ascii = asciiText(line, textWidth);
      expect(ascii).toMatch(/^[\x20-\x7e]*$/);
      expect(ascii).toHaveLength(textWidth(line));
    }
    expect(asciiText("≥ 昇", textWidth)).toBe("> ??");
    screen.close();
  });
});

describe("a server that doesn't respond", () => {
  test("is named after four seconds, instead of a count of zero", async () => {
    const picker = new DrivenPicker([]);
    const load = { kind: "loading", sinceMs: NOW_MS } as const;
    picker.state = { ...picker.state, nowMs: NOW_MS + 9_000, loaded: { ...picker.state.loaded, load } };
    const screen = new VirtualScreen(80, 24);
    await screen.show(picker.state);
    expect(screen.rows()[0]).toContain("no response for 9 s");
    screen.close();
  });
});

describe("an empty list", () => {
  test("has no offer to choose, and after a while similar searches, of which Enter takes the first", async () => {
    const picker = new DrivenPicker(offersOf(30)).press("/", ..."h100 <0.01".split(""), "Enter");
    const screen = new VirtualScreen(80, 24);
    expect(picker.state.view.rows).toEqual([]);
    await screen.show(picker.state);
    expect(screen.rows().at(-1)).not.toContain("Enter choose");
    expect(screen.rows().join("\n")).not.toContain("Similar searches");
    picker.send({ kind: "idle", nowMs: NOW_MS });
    await screen.show(picker.state);
    expect(screen.rows().join("\n")).toContain("Similar searches; Enter takes the first");
    expect(picker.press("Enter").state.view.rows.length).toBeGreaterThan(0);
    screen.close();
  });
});

describe("a terminal that closes", () => {
  test("ends the picker with 129, as SIGHUP does", async () => {
    const { shell, enter, has, read } = openShell({});
    // The shell outlives the terminal, to write the code.
    enter(`trap '' HUP; (PICKER --catalog ${STARTER} 8xh100; echo "$?" >code)`);
    await shell.sees(/of 375 offers/);
    shell.close();
    const endMs = Date.now() + 10_000;
    while ((!has("code") || read("code") === "") && Date.now() < endMs) {
      await wait(50);
    }
    expect(read("code").trim()).toBe("129");
  });
});
