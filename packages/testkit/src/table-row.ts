import type { TestContext } from "vitest";

declare module "vitest" {
  interface TaskMeta {
    /** Rows of a page of docs that the test measured; see table-reporter.ts. */
    rows?: string[][];
  }
}

/** States a row of the table in docs that the test measured. Its first cell says what, and identifies it. */
export function addRow({ task }: Pick<TestContext, "task">, ...cells: string[]): void {
  (task.meta.rows ??= []).push(cells);
}

/** A number for people. */
export const shown = (value: number): string => value.toLocaleString("en-US");
