// Renders a terminal recording as an animated SVG file with selectable text, without scripts. Every character
// of these screens is one column wide.

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
export function svgOf(frames: readonly SvgFrame[], columns: number, rows: number): string {
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
    groups.push(`<g id="${name}">\n${rowsOf(screen.trimEnd())}</g>`);
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

const ATTRIBUTES = new RegExp(String.raw`${"\u001B"}\[([\d;]*)m`);

/** Attributes of `CSI ... m` that tmux writes, with those that they end. */
const ENDED: Readonly<Record<string, readonly string[]>> = { "22": ["1", "2"], "24": ["4"], "27": ["7"] };

/** The rows. Attributes go on from row to row. */
function rowsOf(screen: string): string {
  const on = new Set<string>();
  const isColor = (code: string): boolean => /^3\d$/.test(code);
  let drawn = "";
  for (const [row, line] of screen.split("\n").entries()) {
    let column = 0;
    // Texts, and the codes between them.
    for (const [index, part] of line.split(ATTRIBUTES).entries()) {
      if (index % 2 === 0) {
        drawn += drawRun(part, { row, column, on });
        column += part.length;
        continue;
      }
      for (const code of part.split(";")) {
        const isReset = code === "" || code === "0";
        const ended = [...on].filter(
          (other) => isReset || ENDED[code]?.includes(other) || (isColor(code) && isColor(other)),
        );
        ended.forEach((other) => on.delete(other));
        on.add(code);
      }
    }
  }
  return drawn;
}

function drawRun(text: string, { row, column, on }: { row: number; column: number; on: ReadonlySet<string> }): string {
  const color = PALETTE.find((_, index) => on.has(`3${index}`)) ?? FOREGROUND;
  const [fill, background] = on.has("7") ? [BACKGROUND, color] : [color, undefined];
  const x = (PADDING + column * CELL_WIDTH).toFixed(1);
  const top = PADDING + row * LINE_HEIGHT;
  const widthOf = ({ length }: string): string => (length * CELL_WIDTH).toFixed(1);
  const box =
    background === undefined || text === ""
      ? ""
      : `<rect x="${x}" y="${top}" width="${widthOf(text)}" height="${LINE_HEIGHT}" fill="${background}"/>\n`;
  const shown = text.trimEnd();
  if (shown === "") {
    return box;
  }
  const attributes = [
    fill === FOREGROUND ? "" : ` fill="${fill}"`,
    on.has("1") ? ' font-weight="bold"' : "",
    on.has("2") ? ' opacity="0.6"' : "",
    on.has("4") ? ' text-decoration="underline"' : "",
  ].join("");
  const escaped = shown.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  return `${box}<text x="${x}" y="${top + 13}" textLength="${widthOf(shown)}"${attributes}>${escaped}</text>\n`;
}
