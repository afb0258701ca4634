import type { Kysely } from "kysely";

/** A step of a migration that statements can't express. It uses only what earlier steps made, and no other code. */
export type WorkStep = (database: Kysely<never>) => Promise<void>;

/**
 * A step of a migration: a statement for both databases, or statements for each, or work. In a statement for both, `{text}`,
 * `{bytes}` and `{serial}` stand for the types that differ.
 */
export type Step = string | { sqlite: readonly string[]; postgres: readonly string[] } | WorkStep;

const TYPES = {
  sqlite: { text: "text", bytes: "blob", serial: "integer primary key autoincrement" },
  // Texts sort by code point, regardless of the database's locale.
  postgres: { text: 'text collate "C"', bytes: "bytea", serial: "bigserial primary key" },
} as const;

/** The statements of steps for one database. */
export function statementsOf(steps: readonly Step[], database: keyof typeof TYPES): string[] {
  const types = TYPES[database];
  return steps.flatMap((step) =>
    typeof step === "function"
      ? []
      : typeof step === "string"
        ? step.replaceAll(/\{(text|bytes|serial)\}/g, (_, name: keyof typeof types) => types[name])
        : step[database],
  );
}
