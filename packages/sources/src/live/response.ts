import * as z from "zod";
import { parseJson } from "../input/json.js";
import { issueText } from "../issue-text.js";
import { Rejection } from "../rejection.js";
import { safeText } from "../shown-value.js";
import { SourceError } from "../source-error.js";
import { isFailure, type LiveReply, type LiveResponse } from "./live-source.js";

// Parses response bodies: strict about the fields it uses, lenient about the rest.

// A price list of one cloud may be larger than a catalog file: OVHcloud's has some 400,000 values, AWS names every row.
const LIMITS = { values: 2_000_000, names: 50_000 };

// A generator parses the body to find the next page, and read() does so again.
const parsed = new WeakMap<LiveResponse, unknown>();

/** The responses to the requests for one part, in order. */
export function responsesOf(replies: readonly LiveReply[], part: string): LiveResponse[] {
  return replies.filter((reply): reply is LiveResponse => reply.request.part === part && !isFailure(reply));
}

/** The body as JSON. @throws SourceError if it is not JSON, or would take too much memory. */
export function jsonOf(response: LiveResponse): unknown {
  if (parsed.has(response)) {
    return parsed.get(response);
  }
  const result = parseJson(response.body, LIMITS);
  if (!result.ok) {
    throw new SourceError(`The response cannot be read: ${result.reason}.`, response.request.part);
  }
  parsed.set(response, result.value);
  return result.value;
}

/** The bodies of the responses to the requests for one part, in order. @throws SourceError like {@link bodyOf}. */
export function bodiesOf<T extends z.ZodType>(replies: readonly LiveReply[], part: string, schema: T): z.output<T>[] {
  return responsesOf(replies, part).map((response) => bodyOf(response, schema));
}

/** The rows in the responses to the requests for one part. @throws SourceError like {@link bodyOf}. */
export function listIn(
  replies: readonly LiveReply[],
  part: string,
  schema: z.ZodType<readonly unknown[]>,
): readonly unknown[] {
  return bodiesOf(replies, part, schema).flat();
}

/** The body as JSON that matches the schema. @throws SourceError with the first differences otherwise. */
export function bodyOf<T extends z.ZodType>(response: LiveResponse, schema: T): z.output<T> {
  return valueOf(jsonOf(response), schema, response.request.part);
}

/** A value that matches the schema. @throws SourceError with the first differences otherwise. */
export function valueOf<T extends z.ZodType>(value: unknown, schema: T, where: string): z.output<T> {
  const result = schema.safeParse(value);
  if (!result.success) {
    throw new SourceError(`The response is not of the expected form: ${issueText(result.error)}.`, where);
  }
  return result.data;
}

/** A row that was validated. */
export interface ParsedRow<T> {
  /** Its path: `types[3]`. */
  where: string;
  /** The row as its schema reads it, or its rejection if it doesn't match. */
  row: T | Rejection;
}

/** Rows that were validated. */
export type ParsedRows<T extends z.ZodType> = ParsedRow<z.output<T>>[];

/**
 * Rows, each validated against the schema. A row that doesn't match is rejected on its own.
 * @throws SourceError if none matches: then the format has changed, and the units may have too.
 */
export function rowsOf<T extends z.ZodType>(rows: readonly unknown[], schema: T, part: string): ParsedRows<T> {
  return withMatches(nestedRowsOf(rows, schema, part), part);
}

/** The rows in the responses to the requests for one part. @param list The schema of a response, which gives its rows. */
export function rowsIn<T extends z.ZodType>(
  replies: readonly LiveReply[],
  part: string,
  list: z.ZodType<readonly unknown[]>,
  schema: T,
): ParsedRows<T> {
  return rowsOf(listIn(replies, part, list), schema, part);
}

/** Like {@link rowsOf}, for rows with a key beside each, such as its name. */
export function entriesOf<Key, T extends z.ZodType>(
  entries: readonly (readonly [Key, unknown])[],
  schema: T,
  part: string,
): ParsedRow<readonly [Key, z.output<T>]>[] {
  const parsedRows = entries.map(([key, value], index) => {
    const { where, row } = rowOf(value, schema, `${part}[${index}]`);
    return { where, row: row instanceof Rejection ? row : ([key, row] as const) };
  });
  return withMatches(parsedRows, part);
}

/**
 * The rows that match the schema, for lists of details such as images: the others are left out.
 * @throws SourceError if none matches.
 */
export function usableRows<T extends z.ZodType>(rows: readonly unknown[], schema: T, part: string): z.output<T>[] {
  return matchingRows(rowsOf(rows, schema, part));
}

/** The rows that matched their schema. */
export function matchingRows<T>(rows: readonly ParsedRow<T>[]): T[] {
  return rows.flatMap(({ row }) => (row instanceof Rejection ? [] : [row]));
}

/** Rows inside a row, each validated against the schema; a row may have none that match. */
export function nestedRowsOf<T extends z.ZodType>(rows: readonly unknown[], schema: T, part: string): ParsedRows<T> {
  return rows.map((value, index) => rowOf(value, schema, `${part}[${index}]`));
}

function rowOf<T extends z.ZodType>(value: unknown, schema: T, where: string): ParsedRow<z.output<T>> {
  const { success, data, error } = schema.safeParse(value);
  return success
    ? { where, row: data }
    : { where, row: new Rejection("bad_row", `The row is not of the expected form: ${issueText(error)}.`) };
}

function withMatches<T>(rows: ParsedRow<T>[], part: string): ParsedRow<T>[] {
  const first = rows[0]?.row;
  if (first instanceof Rejection && rows.every(({ row }) => row instanceof Rejection)) {
    throw new SourceError(`No row of the response can be read. ${first.reason}`, part);
  }
  return rows;
}

/** A body with a list under one of these keys. @param keys An empty one stands for a body that is the list. */
export function listUnder(...keys: readonly string[]) {
  const lists = keys.map((key) =>
    key === ""
      ? z.array(z.unknown())
      : z.object({ [key]: z.array(z.unknown()) }).transform((body): unknown[] => body[key] ?? []),
  );
  return z.union(lists);
}

/** A text of a source that becomes part of an offer: one line, not empty, not too long. */
export const nameSchema = z.string().min(1).max(200);

/** A decimal number as JSON number or as text, from 0. */
export const decimalSchema = z.union([
  z.number().min(0),
  z
    .string()
    .regex(/^\d{1,12}(?:\.\d{1,20})?$/, "must be a decimal number from 0")
    .transform(Number),
]);

/** A size or count that a source may omit or set to null, which means unknown. */
export const sizeSchema = z.number().min(0).max(1e18).nullish();

/** A list that a source may omit or set to null, which means empty. Elements that don't match are left out. */
export function listOf<T extends z.ZodType>(schema: T) {
  return z
    .array(z.unknown())
    .nullish()
    .transform((list) =>
      (list ?? []).flatMap((element): z.output<T>[] => {
        const result = schema.safeParse(element);
        return result.success ? [result.data] : [];
      }),
    );
}

/**
 * Checks that the pages of a part have as many rows as the source states.
 * @throws SourceError otherwise, unless a recording lacks some of them.
 */
export function checkTotal(
  replies: readonly LiveReply[],
  part: string,
  { total, rows }: { total: number | undefined; rows: number },
): void {
  const isIncomplete = replies.some((reply) => reply.request.part === part && isFailure(reply));
  if (total !== undefined && total !== rows && !isIncomplete) {
    throw new SourceError(`The pages hold ${rows} rows, but the response counts ${safeText(String(total))}.`, part);
  }
}
