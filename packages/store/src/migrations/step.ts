import type { Kysely } from "kysely";

// What a migration consists of.

/**
 * A step of a migration: a statement for both databases, or statements for each, or work that statements can't express. In a
 * statement for both, `{text}`, `{bytes}` and `{serial}` stand for the types that differ.
 */
export type Step =
  | string
  | { sqlite?: readonly string[]; postgres?: readonly string[] }
  | ((database: Kysely<never>) => Promise<void>);

export type Steps = readonly Step[];

const TYPES = {
  sqlite: { text: "text", bytes: "blob", serial: "integer primary key autoincrement" },
  // Texts sort by code point, regardless of the database's locale.
  postgres: { text: 'text collate "C"', bytes: "bytea", serial: "bigserial primary key" },
} as const;

export function statementsOf(steps: Steps, database: keyof typeof TYPES): string[] {
  const types = TYPES[database];
  return steps.flatMap((step) =>
    typeof step === "function"
      ? []
      : typeof step === "string"
        ? step.replaceAll(/\{(text|bytes|serial)\}/g, (_, name: keyof typeof types) => types[name])
        : (step[database] ?? []),
  );
}

/** Memory to sort a million entries; with the default of 4 MB it takes twice as long. */
export const MAY_TAKE_LONG: Step = { postgres: ["set local statement_timeout = 0", "set local work_mem = '128MB'"] };

/** The trigger that keeps the log of offers in SQLite. */
export const OFFER_CHANGE_NO_UPDATE =
  "create trigger offer_change_no_update before update on offer_change begin select raise(abort, 'offer_change is append-only'); end";
