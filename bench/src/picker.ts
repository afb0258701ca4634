import { execFileSync, spawnSync } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { builtProgram } from "@gpu-offers/testkit/built-program";
import type { Catalog } from "./catalogs.ts";
import type { Row } from "./row.ts";
import { startService } from "./service.ts";
import { PtyProgram, type Repaint } from "./pty-program.ts";

// The picker's budgets, measured on an 80x24 pseudo-terminal against the real service, next to fzf with the same list.
// The two start and receive keys in turn, so that other load on the machine affects both.

const PROGRAM = builtProgram("apps/tui/dist/gpu-offers.js");

const KEYS = 100;
const STARTS = 7;

/** Keys that move the cursor in both programs. */
const DOWN = "\u000E";
const UP = "\u0010";
const CANCEL = "\u0003";

/** Every list row contains the provider name of the synthetic offers. */
const A_ROW = /synthetic/;

/** Time for memory to settle after loading and all keys, in milliseconds. */
const SETTLE_MS = 2_000;

/** Silence that means the whole list is loaded, in milliseconds; before that, a counter keeps running. */
const WHOLE_AFTER_MS = 1_500;

const HAS_FZF = spawnSync("fzf", ["--version"]).status === 0;

interface Contender {
  start: () => PtyProgram;
}

interface Figures {
  firstByteMs: number;
  firstRowsMs: number;
  /** Processor time until the first rows. */
  processorMs: number;
  bytes: number;
  keyMs: number;
  keyP95Ms: number;
  settledMb: number;
  peakMb: number;
}

/** Measures the picker with a catalog: all budgets, or only those that depend on list size. */
export async function benchPicker(
  folder: string,
  catalog: Catalog,
  { maxMb, isWhole }: { maxMb: number; isWhole: boolean },
): Promise<Row[]> {
  const service = await startService(catalog.databasePath);
  try {
    const settings = { GPU_OFFERS_URL: service.url, XDG_CONFIG_HOME: folder, XDG_CACHE_HOME: folder };
    const ours: Contender = {
      start: () => new PtyProgram(`"${process.execPath}" "${PROGRAM}" >/dev/null`, settings),
    };
    const contenders = HAS_FZF ? [ours, fzf(writeList(folder, settings))] : [ours];
    const [picker, reference] = await measure(contenders);
    if (picker === undefined) {
      throw new Error("The picker was not measured.");
    }
    const rows = rowsOf(`${catalog.count.toLocaleString("en-US")} offers`, maxMb, picker, reference);
    return isWhole ? rows : rows.filter(({ what }) => /key to repaint|memory/.test(what));
  } finally {
    await service.stop();
  }
}

/** Measures starts without a service and without a network: the prices that the package comes with. */
export async function benchWithoutService(folder: string): Promise<Row> {
  const settings = { XDG_CONFIG_HOME: folder, XDG_CACHE_HOME: folder, XDG_STATE_HOME: folder };
  const firstRows: number[] = [];
  const processor: number[] = [];
  for (let start = 0; start < STARTS; start++) {
    const program = new PtyProgram(`"${process.execPath}" "${PROGRAM}" >/dev/null`, settings);
    firstRows.push(await program.wrote(/sample prices/));
    processor.push(program.processorMs());
    await program.close(CANCEL);
  }
  const [rowsMs, processorMs] = [quantile(firstRows, 0.5), quantile(processor, 0.5)];
  return {
    what: `picker without a service: first rows, median of ${STARTS} starts`,
    reference: "none",
    measured: `${Math.round(rowsMs)} ms (processor ${processorMs} ms)`,
    ratio: undefined,
    bar: "<= 400 ms",
    isMet: rowsMs <= 400,
  };
}

/** Writes the list, as the picker prints it, to a file. */
function writeList(folder: string, settings: Readonly<Record<string, string>>): string {
  const path = join(folder, "offers.txt");
  const file = openSync(path, "w");
  execFileSync(process.execPath, [PROGRAM, "--list"], {
    stdio: ["ignore", file, "inherit"],
    env: { PATH: process.env["PATH"], ...settings },
  });
  closeSync(file);
  return path;
}

function fzf(path: string): Contender {
  return {
    start: () => new PtyProgram(`fzf --reverse --header-lines=1 <"${path}" >/dev/null`),
  };
}

async function measure(contenders: readonly Contender[]): Promise<Figures[]> {
  const starts = contenders.map(() => ({
    firstByteMs: [] as number[],
    firstRowsMs: [] as number[],
    processorMs: [] as number[],
  }));
  for (let start = 0; start < STARTS; start++) {
    for (const [index, contender] of contenders.entries()) {
      const program = contender.start();
      starts[index]?.firstRowsMs.push(await program.wrote(A_ROW));
      starts[index]?.processorMs.push(program.processorMs());
      starts[index]?.firstByteMs.push(program.firstByteMs ?? Number.NaN);
      await program.close(CANCEL);
    }
  }
  const programs = contenders.map((contender) => contender.start());
  for (const program of programs) {
    await program.wrote(A_ROW);
    await program.quiet(WHOLE_AFTER_MS);
  }
  const repaints: Repaint[][] = programs.map(() => []);
  for (let key = 0; key < KEYS; key++) {
    for (const [index, program] of programs.entries()) {
      // Move down within the screen and back: beyond either end the list would scroll.
      repaints[index]?.push(await program.press(key % 20 < 10 ? DOWN : UP));
    }
  }
  await wait(SETTLE_MS);
  const memory = programs.map((program) => program.memoryMb());
  await Promise.all(programs.map((program) => program.close(CANCEL)));
  return contenders.map((_, index) => ({
    firstByteMs: quantile(starts[index]?.firstByteMs, 0.5),
    firstRowsMs: quantile(starts[index]?.firstRowsMs, 0.5),
    processorMs: quantile(starts[index]?.processorMs, 0.5),
    bytes: quantile(
      repaints[index]?.map(({ bytes }) => bytes),
      0.5,
    ),
    keyMs: quantile(
      repaints[index]?.map(({ ms }) => ms),
      0.5,
    ),
    keyP95Ms: quantile(
      repaints[index]?.map(({ ms }) => ms),
      0.95,
    ),
    settledMb: memory[index]?.settled ?? Number.NaN,
    peakMb: memory[index]?.peak ?? Number.NaN,
  }));
}

function quantile(values: readonly number[] = [], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
}

function rowsOf(list: string, maxMb: number, ours: Figures, theirs: Figures | undefined): Row[] {
  const row = (
    what: string,
    figure: keyof Figures,
    text: (figures: Figures) => string,
    [most, unit]: readonly [number, string],
  ): Row => ({
    what: `picker, ${list}: ${what}`,
    reference: theirs === undefined ? "fzf is not installed" : `fzf: ${text(theirs)}`,
    measured: text(ours),
    ratio: theirs === undefined ? undefined : ours[figure] / theirs[figure],
    bar: `<= ${most} ${unit}`,
    isMet: ours[figure] <= most,
  });
  const inMs = (ms: number): string => `${ms.toFixed(ms < 10 ? 1 : 0)} ms`;
  return [
    row(`first byte, median of ${STARTS} starts`, "firstByteMs", ({ firstByteMs }) => inMs(firstByteMs), [60, "ms"]),
    row(`first rows, median of ${STARTS} starts`, "firstRowsMs", ({ firstRowsMs }) => inMs(firstRowsMs), [250, "ms"]),
    row("processor time until then", "processorMs", ({ processorMs }) => inMs(processorMs), [250, "ms"]),
    // Limit by fzf's result; without fzf, by what it used at 5,000 rows.
    row("a cursor key", "bytes", ({ bytes }) => `${bytes} bytes`, [theirs?.bytes ?? 286, "bytes"]),
    row(
      `key to repaint, median of ${KEYS} keys`,
      "keyMs",
      ({ keyMs, keyP95Ms }) => `${inMs(keyMs)} (p95 ${inMs(keyP95Ms)})`,
      // Seven times fzf's result on the same machine at the same time.
      [theirs === undefined ? 5.5 : Math.round(theirs.keyMs * 70) / 10, "ms"],
    ),
    row(
      "memory, settled",
      "settledMb",
      ({ settledMb, peakMb }) => `${Math.round(settledMb)} MB (peak ${Math.round(peakMb)})`,
      [maxMb, "MB"],
    ),
  ];
}
