import xterm from "@xterm/headless";

// Renders a terminal recording as an animated SVG file with selectable text, without scripts.

/** A screen of a recording: text with attribute codes, and how long it is shown. */
export interface SvgFrame {
  screen: string;
  seconds: number;
}

const CELL_WIDTH = 8.4;
const LINE_HEIGHT = 18;
const PADDING = 12;
const BACKGROUND = "#1e1e2e";
const FOREGROUND = "#cdd6f4";
const PALETTE = ["#45475a", "#f38ba8", "#a6e3a1", "#f9e2af", "#89b4fa", "#cba6f7", "#94e2d5", "#bac2de"] as const;

/** The recording, which plays in a loop. */
export async function svgOf(frames: readonly SvgFrame[], columns: number, rows: number): Promise<string> {
  const total = frames.reduce((sum, { seconds }) => sum + seconds, 0);
  const [width, height] = [columns * CELL_WIDTH + 2 * PADDING, rows * LINE_HEIGHT + 2 * PADDING];
  const groups: string[] = [];
  const styles: string[] = [];
  let start = 0;
  for (const [index, { screen, seconds }] of frames.entries()) {
    const [from, to] = [start, start + seconds].map((at) => ((at / total) * 100).toFixed(3));
    start += seconds;
    const name = `f${index}`;
    const before = index === 0 ? "" : `0%{visibility:hidden}`;
    styles.push(
      `@keyframes ${name}{${before}${from}%{visibility:visible}${to}%,100%{visibility:${index === frames.length - 1 ? "visible" : "hidden"}}}`,
      `#${name}{visibility:hidden;animation:${name} ${total}s step-end infinite}`,
    );
    groups.push(`<g id="${name}">\n${await rowsOf(screen, columns, rows)}</g>`);
  }
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="A session of the gpu-offers picker">`,
    `<style>text{font:14px ui-monospace,Menlo,Consolas,monospace;white-space:pre;fill:${FOREGROUND}}${styles.join("")}</style>`,
    `<rect width="100%" height="100%" rx="8" fill="${BACKGROUND}"/>`,
    ...groups,
    "</svg>",
    "",
  ].join("\n");
}

interface Run {
  text: string;
  column: number;
  width: number;
  fill: string;
  background: string | undefined;
  attributes: string;
}

async function rowsOf(screen: string, columns: number, rows: number): Promise<string> {
  const terminal = new xterm.Terminal({ cols: columns, rows, allowProposedApi: true, convertEol: true });
  await new Promise<void>((resolve) => {
    terminal.write(screen.trimEnd(), resolve);
  });
  let drawn = "";
  for (let row = 0; row < rows; row++) {
    for (const run of runsOf(terminal, row)) {
      drawn += drawRun(run, row);
    }
  }
  terminal.dispose();
  return drawn;
}

/** Cells of a row that look the same, together. */
function runsOf(terminal: xterm.Terminal, row: number): Run[] {
  const line = terminal.buffer.active.getLine(row);
  const runs: Run[] = [];
  for (let column = 0; column < terminal.cols; column++) {
    const cell = line?.getCell(column);
    if (cell === undefined || cell.getWidth() === 0) {
      continue;
    }
    const color = cell.isFgDefault() ? FOREGROUND : (PALETTE[cell.getFgColor() % 8] ?? FOREGROUND);
    const isInverse = cell.isInverse() !== 0;
    const attributes = [
      cell.isBold() === 0 ? "" : ' font-weight="bold"',
      cell.isDim() === 0 ? "" : ' opacity="0.6"',
      cell.isUnderline() === 0 ? "" : ' text-decoration="underline"',
    ].join("");
    const [fill, background] = isInverse ? [BACKGROUND, color] : [color, undefined];
    const last = runs.at(-1);
    if (last?.fill === fill && last.background === background && last.attributes === attributes) {
      last.text += cell.getChars() || " ";
      last.width += cell.getWidth();
    } else {
      runs.push({ text: cell.getChars() || " ", column, width: cell.getWidth(), fill, background, attributes });
    }
  }
  return runs;
}

function drawRun({ text, column, width, fill, background, attributes }: Run, row: number): string {
  const x = (PADDING + column * CELL_WIDTH).toFixed(1);
  const top = PADDING + row * LINE_HEIGHT;
  const box =
    background === undefined
      ? ""
      : `<rect x="${x}" y="${top}" width="${(width * CELL_WIDTH).toFixed(1)}" height="${LINE_HEIGHT}" fill="${background}"/>\n`;
  if (text.trim() === "") {
    return box;
  }
  const color = fill === FOREGROUND ? "" : ` fill="${fill}"`;
  const escaped = text.trimEnd().replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  return `${box}<text x="${x}" y="${top + 13}" textLength="${(textColumns(text) * CELL_WIDTH).toFixed(1)}"${color}${attributes}>${escaped}</text>\n`;
}

function textColumns(text: string): number {
  return Array.from(text.trimEnd()).length;
}
