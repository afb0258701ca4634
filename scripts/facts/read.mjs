// Reads facts/*.csv. A file is CSV (RFC 4180) whose first line that isn't a comment has the names of its columns; lines that
// start with # are comments.
import { readFileSync } from "node:fs";

/**
 * The rows of every table, by the table's name, and a sentence for each invalid row, with its file and line. A row is an
 * object with a value per column. Rows that aren't valid are left out.
 * @param open returns the text of a file in the folder of facts.
 */
export function readFacts(tables, open = openFact) {
  const facts = {};
  const problems = [];
  const files = Object.keys(tables).map((name) => [name, recordsOf(open(`${name}.csv`))]);
  const names = Object.fromEntries(
    files.map(([name, records]) => [name, new Set(records.map(({ cells }) => cells[0]))]),
  );
  for (const [name, records] of files) {
    facts[name] = readTable(`${name}.csv`, tables[name], { facts, names, problems, records });
  }
  return { facts, problems };
}

const openFact = (file) => readFileSync(new URL(`../../facts/${file}`, import.meta.url), "utf8");

function readTable(
  file,
  { columns, unique },
  { facts, names: namesOfTables, problems, records: [header, ...records] },
) {
  const names = Object.keys(columns);
  const seen = new Map();
  const report = (line, problem) => problems.push(`facts/${file}:${line}: ${problem}.`);
  if (header?.cells.join() !== names.join()) {
    report(header?.line ?? 1, `the columns must be ${names.join()}`);
    return [];
  }
  return records.flatMap(({ line, cells }) => {
    if (cells.length !== names.length) {
      report(line, `has ${cells.length} cells, but ${names.length} columns. Quote cells with commas`);
      return [];
    }
    const row = {};
    for (const [index, name] of names.entries()) {
      try {
        row[name] = columns[name](cells[index], facts, namesOfTables);
      } catch (error) {
        report(line, `${name} ${error.message}`);
        return [];
      }
    }
    const id = unique.map((name) => cells[names.indexOf(name)]).join();
    if (unique.length > 0 && seen.has(id)) {
      report(line, `${unique.join()} ${JSON.stringify(id)} is a duplicate of line ${seen.get(id)}`);
      return [];
    }
    seen.set(id, line);
    return [row];
  });
}

const CELL = /(?:"((?:[^"]|"")*)"|([^",]*))(,|$)/y;

/** The cells of each line, without comments and empty lines; a line with broken quotes has one cell. */
function recordsOf(text) {
  return text.split("\n").flatMap((line, index) => {
    if (line === "" || line.startsWith("#")) {
      return [];
    }
    const cells = [];
    CELL.lastIndex = 0;
    for (;;) {
      const match = CELL.exec(line);
      if (match === null) {
        return [{ line: index + 1, cells: [line] }];
      }
      cells.push(match[1]?.replaceAll('""', '"') ?? match[2]);
      if (match[3] === "") {
        return [{ line: index + 1, cells }];
      }
    }
  });
}
