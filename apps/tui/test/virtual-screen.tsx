import chalk from "chalk";
import { render, type Instance } from "ink";
import xterm from "@xterm/headless";
import type { ReactElement } from "react";
import type { PickerState } from "../src/picker/state.ts";
import { Screen } from "../src/screen/App.tsx";
import { CellWriter } from "../src/screen/cell-writer.ts";
import { INK_OPTIONS } from "../src/screen/pick.tsx";
import { ThemeContext, themeFor, type Theme } from "../src/screen/Row.tsx";
import type { Pieces } from "../src/text/pieces.ts";
import { offersOf } from "./offers.ts";
import { DrivenPicker } from "./driven-picker.ts";

// A terminal without a window, to see what the bytes of the picker make of one.

export function rowText(pieces: Pieces): string {
  return pieces.map(({ text }) => text).join("");
}

/** A screen that states are shown on, through Ink and what stands behind it. */
export class VirtualScreen {
  readonly terminal: xterm.Terminal;
  readonly #theme: Theme;
  readonly #writer: CellWriter;
  #ink: Instance | undefined;
  bytes = 0;

  constructor(columns: number, rows: number, environment: Record<string, string> = {}) {
    this.terminal = new xterm.Terminal({ cols: columns, rows, allowProposedApi: true });
    this.#theme = themeFor(environment);
    this.#writer = new CellWriter({
      write: (text) => {
        this.bytes += Buffer.byteLength(text);
        this.terminal.write(text);
      },
      size: () => ({ columns, rows }),
    });
  }

  /** Shows a state, and waits until the terminal has taken it in. */
  async show(state: PickerState): Promise<void> {
    if (this.#ink === undefined) {
      chalk.level = 1;
      this.#ink = render(this.#draw(state), { ...INK_OPTIONS, stdout: this.#writer });
    } else {
      this.#ink.rerender(this.#draw(state));
    }
    await new Promise<void>((resolve) => {
      this.terminal.write("", resolve);
    });
  }

  #draw(state: PickerState): ReactElement {
    return (
      <ThemeContext value={this.#theme}>
        <Screen state={state} />
      </ThemeContext>
    );
  }

  rows(): string[] {
    const { buffer, rows } = this.terminal;
    return Array.from({ length: rows }, (_, row) => buffer.active.getLine(row)?.translateToString(true) ?? "");
  }

  find(text: string, from = 0): { row: number; column: number } {
    const rows = this.rows();
    const row = rows.findIndex((line, index) => index >= from && line.includes(text));
    const column = rows[row]?.indexOf(text) ?? -1;
    if (column === -1) {
      throw new Error(`${JSON.stringify(text)} is not on the screen:\n${rows.join("\n")}`);
    }
    return { row, column };
  }

  /** What a cell shows; its color as the number of the palette, -1 where it is plain. Blanks have no ink. */
  cell(row: number, column: number) {
    const cell = this.terminal.buffer.active.getLine(row)?.getCell(column);
    const text = cell?.getChars() || " ";
    const isInk = text.trim() !== "";
    return {
      text,
      color: isInk ? (cell?.getFgColor() ?? -1) : -1,
      isBold: isInk && cell?.isBold() !== 0,
      isDim: isInk && cell?.isDim() !== 0,
      isInverse: cell?.isInverse() !== 0,
      isUnderlined: cell?.isUnderline() !== 0,
    };
  }

  cells() {
    const { rows, cols } = this.terminal;
    return Array.from({ length: rows * cols }, (_, place) => this.cell(Math.floor(place / cols), place % cols));
  }

  /** Colors that are in use, as the numbers of the palette; none where all is plain. */
  colors(): number[] {
    return [...new Set(this.cells().map(({ color }) => color))].filter((color) => color !== -1).sort((a, b) => a - b);
  }

  close(): void {
    this.#ink?.unmount();
    this.#writer.destroy();
    this.terminal.dispose();
  }
}

/** A screen with a picker of 100 offers, after some keys. */
export async function shown(
  columns: number,
  rows: number,
  keys: readonly string[] = [],
  environment = {},
): Promise<VirtualScreen> {
  const screen = new VirtualScreen(columns, rows, environment);
  await screen.show(new DrivenPicker(offersOf(100), { columns, rows }).press(...keys).state);
  return screen;
}
