import { charactersOf, textWidth } from "../text/width.js";

// A drawn frame as cells, so that two frames can be compared cell by cell.

/** What one column of one row holds. The second column of a wide character holds no text. */
export interface Cell {
  text: string;
  /** Codes of its attributes, as `CSI ... m` takes them; empty for plain. */
  style: string;
}

/** Rows of cells. A row ends with its last cell that shows something. */
export type Frame = readonly (readonly Cell[])[];

/** The attributes that a frame uses: what sets and what unsets them. */
const UNSETS: Readonly<Record<string, RegExp>> = {
  "0": /.*/,
  "22": /^[12]$/,
  "24": /^4$/,
  "27": /^7$/,
  "39": /^(?:3[0-7]|9[0-7])$/,
  "49": /^(?:4[0-7]|10[0-7])$/,
};

/** What a code begins with; it ends with an `m`, since Ink writes no codes but those of attributes into a frame. */
const CODE_START = "\u001B[";

/** Reads a frame: lines of text with attribute codes between them. */
export function parseFrame(text: string): Frame {
  return text.split("\n").map(parseRow);
}

function parseRow(row: string): Cell[] {
  const cells: Cell[] = [];
  const [plain = "", ...styled] = row.split(CODE_START);
  addCells(cells, plain, []);
  let codes: readonly string[] = [];
  for (const part of styled) {
    const end = part.indexOf("m");
    codes = withCodes(codes, part.slice(0, end));
    addCells(cells, part.slice(end + 1), codes);
  }
  while (cells.length > 0 && isBlank(cells.at(-1))) {
    cells.pop();
  }
  return cells;
}

function withCodes(codes: readonly string[], changes: string): readonly string[] {
  let next = codes;
  for (const change of changes === "" ? ["0"] : changes.split(";")) {
    const unset = UNSETS[change];
    next =
      unset === undefined
        ? [...next.filter((code) => code !== change), change]
        : next.filter((code) => !unset.test(code));
  }
  return next;
}

function addCells(cells: Cell[], text: string, codes: readonly string[]): void {
  const style = [...codes].sort().join(";");
  // On a blank, only what is drawn behind or under it can be seen.
  const blankStyle = codes.filter((code) => code === "7" || code === "4").join(";");
  for (const character of charactersOf(text)) {
    cells.push({ text: character, style: character === " " ? blankStyle : style });
    for (let extra = textWidth(character); extra > 1; extra--) {
      cells.push({ text: "", style });
    }
  }
}

function isBlank(cell: Cell | undefined): boolean {
  return cell?.text === " " && cell.style === "";
}
