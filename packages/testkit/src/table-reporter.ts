import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import type { Reporter, TestModule, Vitest } from "vitest/node";

// Prints the rows that the tests of a run measured. With -u it writes them into their page, each in place of the row that
// begins with the same cell, or else at the end of the page's first table. The last column says when and where.

/** Reporter of suites that measure. */
export default class TableReporter implements Reporter {
  readonly #page: string;
  #isUpdate = false;

  constructor({ page }: { page: string }) {
    this.#page = page;
  }

  onInit({ config }: Vitest): void {
    this.#isUpdate = config.snapshotOptions.updateSnapshot === "all";
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const [model = ""] = cpus().map((cpu) =>
      cpu.model.replaceAll(/AMD|Intel|Processor|\(\w+\)|CPU.*|\d+-Core.*/g, "").trim(),
    );
    const run = `${cpus().length}x${model}/${new Date().toISOString().slice(0, 10)}`;
    const rows = modules
      .flatMap(({ children }) => [...children.allTests()])
      .flatMap((test) => test.meta().rows ?? [])
      .map(({ page, cells }) => ({ page: page ?? this.#page, row: `| ${cells.join(" | ")} | ${run} |` }));
    process.stdout.write(rows.map(({ row }) => `${row}\n`).join(""));
    for (const { page, row } of this.#isUpdate ? rows : []) {
      writeFileSync(page, withRow(readFileSync(page, "utf8"), row));
      execFileSync("oxfmt", [page]);
    }
  }
}

const firstCell = (line: string): string | undefined => /^\| (.+?) +\|/.exec(line)?.[1];

function withRow(page: string, row: string): string {
  const lines = page.split("\n");
  const place = lines.findIndex((line) => firstCell(line) === firstCell(row));
  if (place === -1) {
    const start = lines.findIndex((line) => line.startsWith("|"));
    const end = lines.findIndex((line, number) => number > start && line === "");
    lines.splice(end, 0, row);
  } else {
    lines[place] = row;
  }
  return lines.join("\n");
}
