import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, inject, test } from "vitest";
import { tempFolder } from "@gpu-offers/testkit/temp-folder";
import { withPart } from "./page-part.ts";
import { PROGRAM } from "./program.ts";
import { HAS_TMUX, IN_TMUX, TmuxShell } from "./picker-shell.ts";

// A session with the real picker in a real terminal. With RECORD set, it also writes the screens of docs/picker.md, and
// docs/picker.svg.

/** Whether jq, which the session is piped into, is installed here. */
const HAS_JQ = spawnSync("jq", ["--version"]).status === 0;

interface Picked {
  deployment: unknown;
}

test.skipIf(!HAS_TMUX || !HAS_JQ)(
  `a whole session ${IN_TMUX} prints what a script prints for the same choice`,
  async () => {
    const { url } = inject("service");
    const { picked, printed, scripted: line, steps } = await recordSession(url);
    const byHand = JSON.parse(picked) as Picked;
    const scripted = JSON.parse(line) as Picked;
    expect(scripted).toEqual(byHand);
    expect(Object.keys(scripted)).toEqual(Object.keys(byHand));
    expect(JSON.parse(printed.slice(printed.indexOf("{"), printed.lastIndexOf("}") + 1))).toEqual(byHand.deployment);
    expect(steps).toHaveLength(7);
    if (process.env["RECORD"] !== undefined) {
      writeDocs(steps);
    }
  },
);

/** The screen after some keys. */
interface RecordedStep {
  name: "list" | "facets" | "sorted" | "compared" | "image" | "disk" | "confirmation";
  screen: string;
  /** The screen with attribute codes. */
  styled: string;
}

/** A whole session. */
interface RecordedSession {
  steps: RecordedStep[];
  /** Output of the pipe after the picker. */
  printed: string;
  /** The picker's line of JSON. */
  picked: string;
  /** The line of JSON of a command that makes the same choice without a terminal. */
  scripted: string;
}

/** Words that are typed as a filter. */
const WORDS = "8xh100 eu";

const COMMAND = "gpu-offers | tee picked.json | jq .deployment";

/** Records the session: the cheapest H100 in Europe with a disk of 500 GB. */
async function recordSession(url: string): Promise<RecordedSession> {
  const folder = tempFolder();
  writeFileSync(join(folder, "setup.sh"), `gpu-offers() { "${process.execPath}" "${PROGRAM}" "$@"; }\nclear\n`);
  const shell = new TmuxShell(folder, { GPU_OFFERS_URL: url, HOME: folder });
  try {
    shell.enter(". ./setup.sh");
    await shell.sees(/^\$\s*$/);
    shell.enter(COMMAND);
    await shell.sees(/ 375 offers/);
    const steps = await playSteps(shell);
    const printed = await shell.sees(/\}\n\$\s*$/);
    const picked = readFileSync(join(folder, "picked.json"), "utf8");
    return {
      steps,
      printed: printed.trimEnd(),
      picked,
      scripted: await sameAsScript(shell, folder, picked),
    };
  } finally {
    shell.close();
  }
}

async function playSteps(shell: TmuxShell): Promise<RecordedStep[]> {
  const steps: RecordedStep[] = [];
  const after = async (name: RecordedStep["name"], press: () => void, wanted: RegExp): Promise<void> => {
    press();
    steps.push({ name, screen: (await shell.sees(wanted)).trimEnd(), styled: shell.styledScreen() });
  };
  await after("list", () => shell.type(`/${WORDS}\r`), / \d+ of \d+ offers/);
  await after(
    "facets",
    () => (shell.type("f500"), shell.press(...Array.from({ length: 9 }, () => "Down"))),
    / offers(?! loaded)[^]*❯ \[ \] Available/,
  );
  await after("sorted", () => (shell.press("Escape"), shell.type("ss")), /H\+500GB↑/);
  await after("compared", () => shell.type("  ="), /\$\/h with disk[^]*Enter choose/);
  await after("image", () => shell.press("Enter"), /Offer ✓ › Image[^]*❯/);
  await after("disk", () => shell.type("j\r"), /Disk GB \[ 500/);
  await after("confirmation", () => shell.press("Enter"), /Enter to accept/);
  shell.press("Enter");
  return steps;
}

/** The same choice in a script. */
async function sameAsScript(shell: TmuxShell, folder: string, picked: string): Promise<string> {
  const { deployment } = JSON.parse(picked) as { deployment: { os_image_id: string } };
  const command = `gpu-offers --text "${WORDS}" --disk 500 --sort total --image ${deployment.os_image_id} --first --sample`;
  shell.enter(`clear; ${command} >script.json && echo done`);
  await shell.sees(/^done$/m);
  return readFileSync(join(folder, "script.json"), "utf8");
}

function writeDocs(steps: readonly RecordedStep[]): void {
  const docs = new URL("../../../docs/", import.meta.url);
  let page = readFileSync(new URL("picker.md", docs), "utf8");
  for (const { name, screen } of steps) {
    if (page.includes(`<!-- ${name} screen -->`)) {
      page = withPart(page, `${name} screen`, `\`\`\`text\n${screen.trimEnd()}\n\`\`\``);
    }
  }
  writeFileSync(new URL("picker.md", docs), page);
  const frames = steps.map(({ styled }) => ({ screen: styled, seconds: 2.5 }));
  writeFileSync(new URL("picker.svg", docs), svgOf(frames, 80, 24));
}

/** A screen of a recording: text with attribute codes, and how long it is shown. */
interface SvgFrame {
  screen: string;
  seconds: number;
}

const CELL_WIDTH = 8.4;
const LINE_HEIGHT = 18;
const PADDING = 12;
const BACKGROUND = "#1e1e2e";
const FOREGROUND = "#cdd6f4";
const PALETTE = ["#45475a", "#f38ba8", "#a6e3a1", "#f9e2af", "#89b4fa", "#cba6f7", "#94e2d5", "#bac2de"] as const;

/**
 * The recording as an animated SVG file with selectable text and without scripts, which plays in a loop. Every character of
 * these screens is one column wide.
 */
function svgOf(frames: readonly SvgFrame[], columns: number, rows: number): string {
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
