import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { startService } from "../../api/bench/service.ts";
import { TmuxShell } from "../test/tmux.ts";
import { exitTable, keyTable, withPart } from "./tables.ts";

// Writes the parts of docs/picker.md that are made from the code and from the running program; needs tmux:
//   node --conditions=gpu-offers-source --import ... is not needed: pnpm --filter @gpu-offers/tui page

const PAGE = fileURLToPath(new URL("../../../docs/picker.md", import.meta.url));
const PROGRAM = fileURLToPath(new URL("../dist/gpu-offers.js", import.meta.url));

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
  const image = await shell.sees(/Offer ✓ › Image/);
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
