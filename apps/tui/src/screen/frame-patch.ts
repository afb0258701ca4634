import type { Cell, Frame } from "./frame.js";

// What has to be written so that a terminal that shows one frame shows the next one. A cursor key changes a few
// cells of two rows; writing those alone keeps a slow line quick.

const ESC = "\u001B[";
const BLANK: Cell = { text: " ", style: "" };

/** Equal cells between two that differ: writing up to so many is shorter than moving the cursor over them. */
const LONGEST_BRIDGE = 4;

/** From this size on a terminal is asked to show the change at once (synchronized output). */
const SYNCHRONIZED_FROM = 1_000;

/** Bytes that turn `before` into `after`. Both lie at the top left; rows that are missing are blank. */
export function patchFrame(before: Frame, after: Frame): string {
  let written = "";
  for (let row = 0; row < Math.max(before.length, after.length); row++) {
    written += patchRow(row, before[row] ?? [], after[row] ?? []);
  }
  return written.length < SYNCHRONIZED_FROM ? written : `${ESC}?2026h${written}${ESC}?2026l`;
}

function patchRow(row: number, before: readonly Cell[], after: readonly Cell[]): string {
  let written = "";
  let column = 0;
  for (const run of runsOf(before, after)) {
    const move = written === "" ? `${ESC}${row + 1};${run.start + 1}H` : moveRight(run.start - column);
    written += move + cellsText(after.slice(run.start, run.end));
    column = run.end;
  }
  if (before.length > after.length) {
    written += (written === "" ? `${ESC}${row + 1};${after.length + 1}H` : moveRight(after.length - column)) + `${ESC}K`;
  }
  return written;
}

function moveRight(columns: number): string {
  return columns === 0 ? "" : `${ESC}${columns === 1 ? "" : columns}C`;
}

interface Run {
  start: number;
  end: number;
}

/** Where the rows differ, with short bridges filled in. A wide character is in a run as a whole. */
function runsOf(before: readonly Cell[], after: readonly Cell[]): Run[] {
  const runs: Run[] = [];
  for (let column = 0; column < after.length; column++) {
    if (isSame(before[column] ?? BLANK, after[column] ?? BLANK)) {
      continue;
    }
    const start = startOf(before, after, column);
    const last = runs.at(-1);
    if (last !== undefined && start - last.end <= LONGEST_BRIDGE) {
      last.end = column + 1;
    } else {
      runs.push({ start, end: column + 1 });
    }
  }
  for (const run of runs) {
    run.end = endOf(before, after, run.end);
  }
  return runs;
}

/** Half of a wide character cannot be written: the run starts where both frames have a character. */
function startOf(before: readonly Cell[], after: readonly Cell[], column: number): number {
  let start = column;
  while (start > 0 && (after[start]?.text === "" || before[start]?.text === "")) {
    start--;
  }
  return start;
}

function endOf(before: readonly Cell[], after: readonly Cell[], column: number): number {
  let end = column;
  while (end < after.length && (after[end]?.text === "" || before[end]?.text === "")) {
    end++;
  }
  return end;
}

function isSame(a: Cell, b: Cell): boolean {
  return a.text === b.text && a.style === b.style;
}

function cellsText(cells: readonly Cell[]): string {
  let text = "";
  let style = "";
  for (const cell of cells) {
    if (cell.style !== style && cell.text !== "") {
      text += cell.style === "" ? `${ESC}m` : `${ESC}${style === "" ? "" : "0;"}${cell.style}m`;
      style = cell.style;
    }
    text += cell.text;
  }
  return style === "" ? text : `${text}${ESC}m`;
}
