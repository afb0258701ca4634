import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "rolldown";
import { startService } from "../../api/bench/service.ts";
import { TmuxShell } from "../test/tmux.ts";
import type * as Tables from "./tables.ts";

// Writes the parts of docs/picker.md that are made from the code and from the running program. It needs tmux, and the
// service and the picker built:
//   node apps/tui/docs/write-page.ts

const PAGE = fileURLToPath(new URL("../../../docs/picker.md", import.meta.url));
const PROGRAM = fileURLToPath(new URL("../dist/gpu-offers.js", import.meta.url));

const { exitTable, keyTable, withPart } = await tables();
const folder = mkdtempSync(join(tmpdir(), "gpu-offers-page-"));
const service = await startService(join(folder, "catalog.sqlite"));
const shell = new TmuxShell(folder, { GPU_OFFERS_URL: service.url, HOME: folder });
try {
  let page = readFileSync(PAGE, "utf8");
  page = withPart(page, "keys", keyTable());
  page = withPart(page, "exit codes", exitTable());
  for (const [part, screen] of await screens()) {
    page = withPart(page, part, `\`\`\`text\n${screen.trimEnd()}\n\`\`\``);
  }
  writeFileSync(PAGE, page);
} finally {
  shell.close();
  await service.stop();
  rmSync(folder, { recursive: true, force: true });
}

/** The tables are sources of the picker, which Node alone cannot run: they name their imports as the build has them. */
async function tables(): Promise<typeof Tables> {
  const { output } = await build({
    input: fileURLToPath(new URL("tables.ts", import.meta.url)),
    platform: "node",
    resolve: { extensionAlias: { ".js": [".ts", ".tsx", ".js"] } },
    write: false,
  });
  const code = Buffer.from(output[0].code).toString("base64");
  return (await import(`data:text/javascript;base64,${code}`)) as typeof Tables;
}

/** A session from the first list to the confirmation, with what it shows on the way. */
async function screens(): Promise<[string, string][]> {
  shell.enter(`${process.execPath} ${PROGRAM} --disk 500 --available >picked`);
  await shell.sees(/updated/);
  shell.type("/h100 eu\r");
  shell.type("ss");
  const list = await shell.sees(/H\+DISK↑/);
  shell.type("f");
  const facets = await shell.sees(/Disk I need/);
  shell.press("Escape");
  await shell.sees(/H\+DISK↑/);
  shell.press("Enter");
  const image = await shell.sees(/Offer ✓ › Image[^]*❯/);
  shell.press("Enter");
  const disk = await shell.sees(/Disk GB \[/);
  shell.press("C-c");
  return [
    ["list screen", list],
    ["facets screen", facets],
    ["image screen", image],
    ["disk screen", disk],
  ];
}
