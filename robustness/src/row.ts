/** How a row is run. */
export interface RunOptions {
  /** How much of it: requests, kills, seconds; see {@link Row.unit}. */
  n: number;
  /** Everything that is left to chance follows from it. */
  seed: number;
  /** How much longer than the bar things may take: 1, and more on a machine that has other work. */
  patience: number;
  /** Told now and then what is being done. */
  progress: (text: string) => void;
  /** Told what is wrong. The bar is met when nothing is. */
  problems: Problems;
}

/** One row of the suite. */
export interface Row {
  /** What it is called on the command line. */
  name: string;
  what: string;
  /** What `n` counts. */
  unit: string;
  bar: string;
  /** `n` of the full run. */
  n: number;
  /** `n` of the run among the tests, a few seconds; 0 when it does not belong there. */
  shortN: number;
  /** Runs when it is named, not with the others. */
  isAlone?: boolean;
  /** Gives its figures, in one line. */
  run: (options: RunOptions) => Promise<string>;
}

/** Problems that are kept to be shown. */
const SHOWN = 10;

/** What was found wrong: all are counted, the first are kept. */
export class Problems {
  readonly first: string[] = [];
  count = 0;

  add(text: string): void {
    if (++this.count <= SHOWN) {
      this.first.push(text.length > 600 ? `${text.slice(0, 600)}...` : text);
    }
  }

  /** Adds a problem when there is one. */
  addIf(text: string | undefined): void {
    if (text !== undefined) {
      this.add(text);
    }
  }
}

/** A number for people. */
export const shown = (value: number): string => value.toLocaleString("en-US");
