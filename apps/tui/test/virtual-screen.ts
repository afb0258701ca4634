import xterm from "@xterm/headless";
import { Painter } from "../src/screen/painter.js";
import { themeFor } from "../src/screen/theme.js";
import type { PickerState } from "../src/picker/state.js";
import { offersOf } from "./offers.ts";
import { PlayedPicker } from "./played-picker.ts";

// A terminal without a window, to see what the bytes of the picker make of one.

/** A screen that states are painted on. */
export class VirtualScreen {
  readonly terminal: xterm.Terminal;
  readonly #painter: Painter;
  bytes = 0;

  constructor(columns: number, rows: number, environment: Record<string, string> = {}) {
    this.terminal = new xterm.Terminal({ cols: columns, rows, allowProposedApi: true });
    this.#painter = new Painter(themeFor(environment), (text) => {
      this.bytes += Buffer.byteLength(text);
      this.terminal.write(text);
    });
  }

  /** Paints, and waits until the terminal has taken it in. */
  async show(state: PickerState): Promise<void> {
    this.#painter.paint(state);
    await new Promise<void>((resolve) => this.terminal.write("", resolve));
  }

  /** The rows as text. */
  rows(): string[] {
    const { buffer, rows } = this.terminal;
    return Array.from({ length: rows }, (_, row) => buffer.active.getLine(row)?.translateToString(true) ?? "");
  }

  /** Every cell with its attributes. */
  cells(): string[] {
    const { buffer, rows, cols } = this.terminal;
    return Array.from({ length: rows * cols }, (_, place) => {
      const cell = buffer.active.getLine(Math.floor(place / cols))?.getCell(place % cols);
      const text = cell?.getChars() || " ";
      // A blank shows its inversion and its underline alone.
      const ink = text === " " ? "" : `${cell?.getFgColor()},${cell?.isBold()},${cell?.isDim()}`;
      return `${text}|${cell?.isInverse()},${cell?.isUnderline()},${ink}`;
    });
  }

  /** Colors that are in use, as the numbers of the palette; none where all is plain. */
  colors(): number[] {
    const { buffer, rows, cols } = this.terminal;
    const colors = new Set<number>();
    for (let place = 0; place < rows * cols; place++) {
      const cell = buffer.active.getLine(Math.floor(place / cols))?.getCell(place % cols);
      if (cell !== undefined && !cell.isFgDefault()) {
        colors.add(cell.getFgColor());
      }
    }
    return [...colors].sort((a, b) => a - b);
  }

  close(): void {
    this.#painter.close();
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
  await screen.show(new PlayedPicker(offersOf(100), { columns, rows }).press(...keys).state);
  return screen;
}
