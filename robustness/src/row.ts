/** Parameters of a run. */
interface RunOptions {
  /** Count of requests, kills or seconds; see {@link Row.unit}. */
  n: number;
  /** Seed of all random choices. */
  seed: number;
  /** Factor on time limits: 1, or more on a busy machine. */
  patience: number;
  /** Reports progress. */
  progress: (text: string) => void;
  /** Collects problems. The bar is met if there are none. */
  problems: Problems;
}

/** One row of the suite. */
export interface Row {
  /** Its name on the command line. */
  name: string;
  what: string;
  /** What `n` counts. */
  unit: string;
  bar: string;
  /** `n` of a full run. */
  n: number;
  /** `n` of a short run, which takes a few seconds; 0 if the row has none. */
  shortN: number;
  /** Runs only if named. */
  isAlone?: boolean;
  /** Runs the row and returns its figures, on one line. */
  run: (options: RunOptions) => Promise<string>;
}

/** Maximum number of problems to show. */
const SHOWN = 10;

/** The problems found: all are counted, the first are kept. */
export class Problems {
  readonly first: string[] = [];
  count = 0;

  add(text: string): void {
    if (++this.count <= SHOWN) {
      this.first.push(text.length > 600 ? `${text.slice(0, 600)}...` : text);
    }
  }

  /** Adds a problem if there is one. */
  addIf(text: string | undefined): void {
    if (text !== undefined) {
      this.add(text);
    }
  }
}

/** Formats a number for people. */
export const shown = (value: number): string => value.toLocaleString("en-US");
