import type { TestContext } from "vitest";

declare module "vitest" {
  interface TaskMeta {
    /** Rows of a page of docs that the test measured; see table-reporter.ts. */
    rows?: { page: string | undefined; cells: string[] }[];
  }
}

interface Row {
  /** Path of the page; by default that of the suite. */
  page?: string;
  /** Its first cell, which identifies it. */
  what: string;
  cells: readonly string[];
  bar: string;
  isMet: boolean;
}

/** States a row that the test measured. */
export function addRow({ task }: Pick<TestContext, "task">, { page, what, cells, bar, isMet }: Row): void {
  (task.meta.rows ??= []).push({ page, cells: [what, ...cells, `${bar}${isMet ? "" : " (missed)"}`] });
}

export const shown = (value: number): string => value.toLocaleString("en-US");
