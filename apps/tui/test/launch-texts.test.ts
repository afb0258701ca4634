import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { runInProcess } from "./in-process.ts";
import { HAS_TMUX, IN_TMUX, openShell, type PickerShell } from "./picker-shell.ts";
import { run } from "./program.ts";

// The last meter: the texts that rent an offer, and the page on which one rents it, in a real terminal.

const STARTER = fileURLToPath(new URL("../../api/catalog/starter.json", import.meta.url));

/** A picker whose only offer has texts for two tools, and a fixed disk. */
async function openVultr(line: string, settings: Readonly<Record<string, string>> = {}): Promise<PickerShell> {
  const opened = openShell(settings);
  opened.shell.resize(90, 40);
  opened.enter(`PICKER --catalog ${STARTER} 8xh100 vultr ${line}`);
  await opened.shell.sees(/ 1 of 375 offers/);
  return opened;
}

/** What `launch` prints for the offer and a tool. */
async function launchOf(id: string, tool: string): Promise<string> {
  return (await run(["launch", id, "--as", tool, "--sample", "--catalog", STARTER])).stdout;
}

async function vultrId(): Promise<string> {
  const { stdout } = await runInProcess([
    "list",
    "8xh100",
    "vultr",
    "-o",
    "ndjson",
    "--fields",
    "id",
    "--catalog",
    STARTER,
  ]);
  return (JSON.parse(stdout) as { id: string }).id;
}

describe.skipIf(!HAS_TMUX)(`an offer ${IN_TMUX}`, { concurrent: true }, () => {
  test("shows its launch texts, copies one of them, and JSON names the one that was chosen", async () => {
    const { shell, read } = await openVultr(`>out; echo "ended $?"`);
    shell.record();
    shell.type("l");
    await shell.sees(/dstack fleet: [^]*\(1 of 2\)[^]*y copy {2}→ next tool {2}o open page/);
    shell.press("Right");
    await shell.sees(/ Vultr [^]*\(2 of 2\)[^]*Rent it at https:\/\/my\.vultr\.com\//);
    shell.type("y");
    await shell.sees(/^ copied: Vultr /m);
    shell.press("Escape");
    await shell.sees(/^❯\? 8× H100/m);
    shell.press("Enter");
    await shell.sees(/1920 GB \(1920 included, more at an unknown price\) = \$23\.92/);
    shell.press("Enter");
    await shell.sees(/Enter to accept[^]*Enter accept {2}l launch/);
    shell.press("Enter");
    await shell.sees(/ended 0/);
    const picked = JSON.parse(read("out")) as { offer: { id: string }; launchKind: string };
    expect(picked.launchKind).toBe("cli");
    const copied = Buffer.from(await launchOf(picked.offer.id, "cli")).toString("base64");
    expect(await shell.recorded()).toContain(`\u001b]52;c;${copied}\u0007`);
  });

  test("ends in the text of the tool that was chosen last, if standard output is a terminal", async () => {
    const { shell, enter } = await openVultr("");
    shell.press("l");
    await shell.sees(/dstack fleet/);
    shell.press("Right");
    await shell.sees(/\(2 of 2\)/);
    shell.press("q", "Enter");
    await shell.sees(/Disk GB/);
    shell.press("Enter");
    await shell.sees(/Enter to accept/);
    shell.press("Enter");
    const text = await launchOf(await vultrId(), "cli");
    const screen = await shell.sees(/# To stop it[^]*\n\$ *$/m);
    expect(screen.replaceAll("\n", "")).toContain(text.replaceAll("\n", ""));
    enter(`PICKER --catalog ${STARTER} 8xh100 vultr -o json`);
    await shell.sees(/ 1 of 375 offers/);
    shell.press("Enter");
    await shell.sees(/Disk GB/);
    shell.press("Enter");
    await shell.sees(/Enter to accept/);
    shell.press("Enter");
    const json = await shell.sees(/\}\n\$ *$/m);
    expect(json.replaceAll("\n", "")).toContain('"estimate":{"hourly":"23.9200"');
  });

  test("opens the page on which one rents it, or copies its address where there is no browser", async ({
    expect: here,
  }) => {
    const { shell } = await openVultr("");
    shell.type("o");
    await shell.sees(/no browser here; copied https:\/\/my\.vultr\.com\//);
    const { shell: other, folder, enter, read, has } = openShell({});
    writeFileSync(join(folder, "browser"), `#!/bin/sh\necho "$1" >opened\n`, { mode: 0o755 });
    enter(`BROWSER=./browser PICKER --catalog ${STARTER} 8xh100 vultr`);
    await other.sees(/ 1 of 375 offers/);
    other.type("o");
    await other.sees(/^ opening https:\/\/my\.vultr\.com\//m);
    await here.poll(() => has("opened") && read("opened")).toMatch(/^https:\/\/my\.vultr\.com\/\S*\n$/);
  });

  test("prints its texts in the prompts", async () => {
    const { shell } = openShellWithPrompts();
    await shell.sees(/Number to choose/);
    shell.enter("l 1");
    await shell.sees(/dstack fleet delete[^]*^# Vultr [^]*SkyPilot doesn't support vultr/m);
  });
});

function openShellWithPrompts(): PickerShell {
  const opened = openShell({ ACCESSIBLE: "1" });
  opened.enter(`PICKER --catalog ${STARTER} 8xh100 vultr`);
  return opened;
}
