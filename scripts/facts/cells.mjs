// Kinds of cells in facts/*.csv: each returns the value of a cell, or throws an Error that completes "COLUMN ".

/** Any text but none. */
export function text(cell) {
  if (cell === "") {
    throw new Error("must not be empty");
  }
  return cell;
}

/** A number from 0, without an exponent. */
export function number(cell) {
  if (!/^\d+(?:\.\d+)?$/.test(cell)) {
    throw new Error(`must be a number, not ${JSON.stringify(cell)}`);
  }
  return Number(cell);
}

/** A year with four digits. */
export const year = (cell) => Number(matching(/^(?:19|20)\d\d$/, "a year")(cell));

export const url = matching(/^https:\/\/\S+$/, "an https URL");

/** Lower-case words that are joined by hyphens: names in these files, and slugs. */
export const key = matching(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, "lower-case letters and digits joined by hyphens");

/** `yes` or `no`. */
export const yesNo = (cell) => oneOf("yes", "no")(cell) === "yes";

export function oneOf(...values) {
  return (cell) => {
    if (!values.includes(cell)) {
      throw new Error(`must be ${values.join(", ")}, not ${JSON.stringify(cell)}`);
    }
    return cell;
  };
}

/** A text in a form, which `description` names. */
export function matching(form, description) {
  return (cell) => {
    if (!form.test(cell)) {
      throw new Error(`must be ${description}, not ${JSON.stringify(cell)}`);
    }
    return cell;
  };
}

/** The regular expression of a whole text, in any case. */
export function pattern(cell) {
  try {
    return new RegExp(`^${text(cell)}$`, "i");
  } catch (error) {
    throw new Error(`must be a regular expression: ${error.message}`, { cause: error });
  }
}

/** An empty cell is `absent`. */
export function optional(kind, absent = null) {
  return (cell, facts) => (cell === "" ? absent : kind(cell, facts));
}

/** Values that are separated; an empty cell has none. */
export function list(separator, kind) {
  return (cell, facts) => (cell === "" ? [] : cell.split(separator).map((part) => kind(part, facts)));
}

/** The row of another table that a cell names by its first column. The table comes before this one. */
export function rowOf(table) {
  return (cell, facts) => {
    const row = facts[table].find((candidate) => Object.values(candidate)[0] === cell);
    if (row === undefined) {
      throw new Error(`names ${JSON.stringify(cell)}, which ${table}.csv doesn't have`);
    }
    return row;
  };
}

/** Like {@link rowOf}, but only the name. */
export function nameIn(table) {
  return (cell, facts) => Object.values(rowOf(table)(cell, facts))[0];
}
