import { execFileSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { readFacts } from "../facts/read.mjs";
import { modules, tables } from "../facts/tables.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
const readFile = (file: string): string => readFileSync(`${root}/facts/${file}`, "utf8");

/** Problems of the facts if a file has other text. */
function problemsWith(file: string, change: (text: string) => string): readonly string[] {
  return readFacts(tables, (name: string) => (name === file ? change(readFile(name)) : readFile(name))).problems;
}

/** The line of a file that starts like this, from 1. */
const lineOf = (file: string, start: string): number =>
  readFile(file)
    .split("\n")
    .findIndex((line) => line.startsWith(start)) + 1;

describe("the files of facts", () => {
  test("have only valid rows", () => {
    expect(readFacts(tables).problems).toEqual([]);
  });

  test("have names of types that match their rows", () => {
    const rows: { type: RegExp; example: string }[] = readFacts(tables).facts["type-names"];
    expect(rows.filter(({ type, example }) => !type.test(example))).toEqual([]);
  });

  test("each have a table and a module", () => {
    const files = globSync("facts/*.csv", { cwd: root }).toSorted();
    expect(files).toEqual(
      Object.keys(tables)
        .map((name) => `facts/${name}.csv`)
        .toSorted(),
    );
    expect(
      new Set(Object.values(modules).flatMap((constants) => Object.values(constants).flatMap(({ from }) => from))),
    ).toEqual(new Set(Object.keys(tables)));
  });

  test("name every document of the list", () => {
    const { documents, ...others } = Object.fromEntries(
      Object.keys(tables).map((name) => [name, readFile(`${name}.csv`)]),
    );
    const cells = new Set(Object.values(others).join().split(/[\n,]/));
    const names = (documents ?? "")
      .split("\n")
      .slice(2)
      .map((line) => line.split(",")[0] ?? "");
    expect(names.filter((name) => name !== "" && !cells.has(name))).toEqual([]);
  });

  test("are compiled into modules that aren't committed", () => {
    const files = Object.entries(modules).map(([file, constants]) => {
      const text = readFileSync(`${root}/${file}`, "utf8");
      expect(text).toContain(`export const ${Object.keys(constants).at(-1)}:`);
      return file;
    });
    expect(execFileSync("git", ["ls-files", ...files], { cwd: root, encoding: "utf8" })).toBe("");
  });
});

describe("an invalid row is reported with its file and line", () => {
  test.each([
    ["gpus.csv", "b300,", (row: string) => row.replace(",288,", ",288GB,"), 'vram_gb must be a number, not "288GB"'],
    ["gpus.csv", "b300,", (row: string) => row.replace(",2025,", ",25,"), 'year must be a year, not "25"'],
    ["gpus.csv", "b200,", (row: string) => row.replace("b200,", "b300,"), 'slug "b300" is a duplicate of line'],
    [
      "gpus.csv",
      "b300,",
      (row: string) => row.replace("nim-support-matrix", "nim"),
      'source names "nim", which documents.csv',
    ],
    ["gpus.csv", "b300,", (row: string) => `${row},1`, "has 25 cells, but 24 columns"],
    [
      "gpus.csv",
      "h200,",
      (row: string) => row.replace("h200-sxm;", "h200-sxn;"),
      'forms names "h200-sxn", which gpus.csv',
    ],
    [
      "regions.csv",
      "aws,eu-west-1,",
      (row: string) => row.replace("aws,", "awz,"),
      'provider names "awz", which providers.csv',
    ],
    ["sites.csv", "ibm,", (row: string) => row.replace("ibm,", "imb,"), 'provider names "imb", which providers.csv'],
    [
      "oci-products.csv",
      "E3,",
      (row: string) => row.replace("BM.GPU4.8", "BM.GPU4.7"),
      'shapes names "BM.GPU4.7", which instance-types.csv',
    ],
    ["gcp-gpus.csv", "t4,", (row: string) => row.replace("1:48,312", "1:48"), "n1 must be GPUS:VCPUS,GB"],
    [
      "regions.csv",
      "aws,eu-west-1,",
      (row: string) => row.replace(",IE,", ",Ireland,"),
      "country must be an ISO 3166-1",
    ],
    [
      "instance-types.csv",
      "aws,p5\\.",
      (row: string) => row.replace("p5\\.(", "p5\\.(("),
      "type must be a regular expression",
    ],
    [
      "instance-types.csv",
      "aws,p5\\.",
      (row: string) => row.replace("h100-sxm", "h1000"),
      'gpu names "h1000", which gpus.csv',
    ],
    [
      "instance-types.csv",
      "aws,p5\\.",
      (row: string) => row.replace(":1,16,256", ":1,16,256,1"),
      "sizes must be SIZE:GPUS",
    ],
    ["providers.csv", "ionos,", (row: string) => row.replace(",EUR,", ",USD,"), "currency must be an ISO 4217 code"],
    ["documents.csv", "h100-page,", (row: string) => row.replace("https:", "http:"), "url must be an https URL"],
    ["documents.csv", "h100-page,", (row: string) => `${row}"`, "has 1 cells, but 3 columns"],
  ])("%s: a row that starts with %s", (file, start, change, problem) => {
    const line = lineOf(file, start);
    const problems = problemsWith(file, (text) =>
      text
        .split("\n")
        .map((row, index) => (index === line - 1 ? change(row) : row))
        .join("\n"),
    );
    expect(problems[0]).toContain(`facts/${file}:${line}: ${problem}`);
  });

  test("other columns than those of the table", () => {
    expect(problemsWith("states.csv", (text) => text.replace("country,code", "code,country"))[0]).toBe(
      `facts/states.csv:${lineOf("states.csv", "country,")}: the columns must be country,code,name.`,
    );
  });
});
