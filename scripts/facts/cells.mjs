// Kinds of cells in facts/*.csv: each returns the value of a cell, or throws an Error that completes "COLUMN ". A kind gets
// the rows of the tables before its own, and the names of all tables: the values of their first columns.

/** A kind whose values have this type in TypeScript. */
export const typed = (type, kind) => Object.assign((...given) => kind(...given), { type });

/** Any text but none. */
export const text = typed("string", (cell) => {
  if (cell === "") {
    throw new Error("must not be empty");
  }
  return cell;
});

/** A text that passes a check, which `description` names. */
function checked(isValid, description, type = "string") {
  return typed(type, (cell) => {
    if (!isValid(cell)) {
      throw new Error(`must be ${description}, not ${JSON.stringify(cell)}`);
    }
    return cell;
  });
}

/** The type of some texts. */
export const unionOf = (values) => values.map((value) => JSON.stringify(value)).join(" | ");

export const oneOf = (...values) => checked((cell) => values.includes(cell), values.join(", "), unionOf(values));

/** A text in a form, which `description` names. */
export const matching = (form, description) => checked((cell) => form.test(cell), description);

/** A number from 0, without an exponent. */
export const number = typed("number", (cell) => Number(matching(/^\d+(?:\.\d+)?$/, "a number")(cell)));

/** A year with four digits. */
export const year = typed("number", (cell) => Number(matching(/^(?:19|20)\d\d$/, "a year")(cell)));

export const url = matching(/^https:\/\/\S+$/, "an https URL");

/** Lower-case words that are joined by hyphens: names in these files, and slugs. */
export const key = matching(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, "lower-case letters and digits joined by hyphens");

/** `yes` or `no`. */
export const yesNo = typed("boolean", (cell) => oneOf("yes", "no")(cell) === "yes");

/** A regular expression between others. */
export function expression(before = "", after = "", flags = "") {
  return typed("RegExp", (cell) => {
    try {
      return new RegExp(before + text(cell) + after, flags);
    } catch (error) {
      throw new Error(`must be a regular expression: ${error.message}`, { cause: error });
    }
  });
}

/** The regular expression of a whole text, in any case. */
export const pattern = expression("^", "$", "i");

/** An empty cell is `absent`. */
export function optional(kind, absent = null) {
  const read = (cell, ...tables) => (cell === "" ? absent : kind(cell, ...tables));
  return Object.assign(typed(kind.type, read), { isOptional: absent === null });
}

/** `yes`, or empty. */
export const mark = optional(typed("true", (cell) => oneOf("yes")(cell) === "yes"));

/** Values that are separated, at least one. */
export function someOf(separator, kind) {
  const read = (cell, ...tables) => cell.split(separator).map((part) => kind(part, ...tables));
  return typed(`readonly [${kind.type}, ...(${kind.type})[]]`, read);
}

/** Values that are separated; an empty cell has none. */
export function list(separator, kind) {
  const read = optional(someOf(separator, kind), []);
  return Object.assign(typed(`readonly (${kind.type})[]`, read), { isOptional: true });
}

/** The row of another table that a cell names by its first column. The table comes before this one. */
export function rowOf(table) {
  return (cell, facts) => rowsByName(facts[table]).get(cell) ?? throwUnknown(cell, table);
}

/** A name of a table, which may be the cell's own table or one after it. */
export function nameIn(table) {
  return typed("string", (cell, facts, names) => (names[table].has(cell) ? cell : throwUnknown(cell, table)));
}

export function instanceTypeOf(provider) {
  return typed("string", (cell, { "instance-types": rows }) => {
    const isDocumented = rows
      .filter((row) => row.provider === provider)
      .some(({ type, sizes }) => sizes.split(" ").some((size) => size.split(":")[0] === type.exec(cell)?.[1]));
    return isDocumented ? cell : throwUnknown(cell, "instance-types");
  });
}

function throwUnknown(cell, table) {
  throw new Error(`names ${JSON.stringify(cell)}, which ${table}.csv doesn't have`);
}

const indexes = new WeakMap();

function rowsByName(rows) {
  const index = indexes.get(rows) ?? new Map(rows.map((row) => [Object.values(row)[0], row]));
  indexes.set(rows, index);
  return index;
}
