import { cpus, totalmem } from "node:os";
import { inspect, parseArgs } from "node:util";
import { removeLeftovers } from "@gpu-offers/testkit/leftovers";
import { SEED } from "@gpu-offers/testkit/synthetic";
import { Problems, shown, type Row } from "./row.ts";
import { rows } from "./rows.ts";

// Runs the rows against the built service, one after the other, and prints a table.
//   pnpm robustness                                 all rows except those that run alone
//   pnpm robustness kill-ledger --n 1000 --seed 1   only the named rows
//   pnpm robustness --short                         with the short counts of test:full
// Exits with 1 if a bar is missed.

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { n: { type: "string" }, seed: { type: "string" }, short: { type: "boolean" } },
});
const unknown = positionals.filter((name) => !rows.some((row) => row.name === name));
if (unknown.length > 0 || [values.n, values.seed].some((text) => text !== undefined && !/^\d+$/.test(text))) {
  const list = rows.map(({ name, n, unit, what }) => `  ${name.padEnd(20)} ${what} (n = ${shown(n)} ${unit})\n`);
  process.stderr.write(`usage: robustness [name ...] [--n N] [--seed N] [--short]\n${list.join("")}`);
  process.exit(2);
}
let ending: Promise<void> | undefined;

/** Stops before all rows have run. Removes what they created first, even if they fail meanwhile. */
function endEarly(code: number, error?: unknown): void {
  ending ??= (async () => {
    process.stderr.write(error === undefined ? "" : `${inspect(error)}\n`);
    await removeLeftovers();
    process.exit(code);
  })();
}
process.on("uncaughtException", (error) => endEarly(1, error));
process.once("SIGINT", () => endEarly(130));
process.once("SIGTERM", () => endEarly(143));

const chosen = rows.filter(({ name, isAlone }) =>
  positionals.length === 0 ? isAlone !== true : positionals.includes(name),
);
process.stdout.write(
  `Node ${process.version}, ${cpus().length} x ${cpus()[0]?.model}, ${Math.round(totalmem() / 2 ** 30)} GiB\n\n`,
);
process.stdout.write("| what | n | seed | result | bar | met |\n| --- | --- | --- | --- | --- | --- |\n");
for (const row of chosen) {
  const isMet = await measure(row);
  process.exitCode = isMet ? (process.exitCode ?? 0) : 1;
}
if (positionals.length === 0) {
  for (const { name, what } of rows.filter(({ isAlone }) => isAlone)) {
    process.stderr.write(`not run: ${what}; name it to run it: robustness ${name}\n`);
  }
}

async function measure({ name, what, unit, bar, run, ...row }: Row): Promise<boolean> {
  const n = values.n === undefined ? (values.short === true ? row.shortN : row.n) : Number(values.n);
  const seed = Number(values.seed ?? SEED);
  const started = performance.now();
  const progress = (text: string): void => {
    const seconds = Math.round((performance.now() - started) / 1_000);
    process.stderr.write(`${name} ${seconds} s: ${text}\n`);
  };
  try {
    const problems = new Problems();
    const result = await run({ n, seed, patience: 1, progress, problems });
    const isMet = problems.count === 0;
    for (const problem of problems.first) {
      progress(`PROBLEM ${problem}`);
    }
    if (problems.count > problems.first.length) {
      progress(`and ${shown(problems.count - problems.first.length)} more problems`);
    }
    progress(isMet ? "met" : "NOT MET");
    const cells = [what, `${shown(n)} ${unit}`, seed, result, bar, isMet ? "yes" : "no"];
    process.stdout.write(`| ${cells.join(" | ")} |\n`);
    return isMet;
  } finally {
    await removeLeftovers();
  }
}
