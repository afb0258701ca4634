import type { TestContext } from "vitest";

declare module "vitest" {
  interface TaskMeta {
    /** Rows of a page of docs that the test measured; see table-reporter.ts. */
    rows?: string[][];
  }
}

/** A row of a table in docs. */
interface Row {
  /** Its first cell, which identifies it. */
  what: string;
  cells: readonly string[];
  bar: string;
  isMet: boolean;
}

/** States a row that the test measured. */
export function addRow({ task }: Pick<TestContext, "task">, { what, cells, bar, isMet }: Row): void {
  (task.meta.rows ??= []).push([what, ...cells, `${bar}${isMet ? "" : " (missed)"}`]);
}

/** A number for people. */
export const shown = (value: number): string => value.toLocaleString("en-US");
