import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeCatalog } from "../../api/bench/catalogs.ts";
import { startService } from "../../api/bench/service.ts";
import { SEED } from "../../api/bench/synthetic.ts";
import { PICKER, PtyProgram, type Repaint } from "./pty-picker.ts";

// The budgets of docs/picker.md, measured on a pseudo-terminal of 80x24 against the real service:
//   node apps/tui/bench/main.ts       5,000 and 50,000 offers
//   node apps/tui/bench/main.ts 5k    without the 50,000

const KEYS = 60;
const STARTS = 7;

const folder = mkdtempSync(join(tmpdir(), "gpu-offers-bench-"));
process.once("exit", () => rmSync(folder, { recursive: true, force: true }));

process.stdout.write(`Node ${process.version}, seed ${SEED}, ${KEYS} keys, ${STARTS} starts, medians\n\n`);
process.stdout.write("| offers | bytes a key | key to repaint | first byte | first rows | memory |\n");
process.stdout.write("| --- | --- | --- | --- | --- | --- |\n");
for (const count of process.argv.includes("5k") ? [5_000] : [5_000, 50_000]) {
  process.stdout.write(`${await measure(count)}\n`);
}

async function measure(count: number): Promise<string> {
  const service = await startService((await makeCatalog(folder, count)).databasePath);
  const settings = { GPU_OFFERS_URL: service.url, XDG_CONFIG_HOME: folder };
  const firstBytes: number[] = [];
  const firstRows: number[] = [];
  for (let start = 0; start < STARTS; start++) {
    const picker = new PtyProgram(PICKER, settings);
    firstRows.push(await picker.wrote(/q quit/));
    firstBytes.push(picker.firstByteMs ?? Number.NaN);
    await picker.close("q");
  }
  const picker = new PtyProgram(PICKER, settings);
  await picker.wrote(/updated /);
  const repaints: Repaint[] = [];
  for (let key = 0; key < KEYS; key++) {
    // Down within the screen and back: both ends of the list would scroll it.
    repaints.push(await picker.press(key % 20 < 10 ? "j" : "k"));
  }
  const cells = [
    count.toLocaleString("en-US"),
    median(repaints.map(({ bytes }) => bytes)).toFixed(0),
    `${median(repaints.map(({ ms }) => ms)).toFixed(1)} ms`,
    `${median(firstBytes).toFixed(0)} ms`,
    `${median(firstRows).toFixed(0)} ms`,
    `${picker.memoryMb().toFixed(0)} MB`,
  ];
  await picker.close("q");
  await service.stop();
  return `| ${cells.join(" | ")} |`;
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
