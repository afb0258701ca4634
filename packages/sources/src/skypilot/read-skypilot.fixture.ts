import { bytesOf, collect, skypilotCsv } from "../source.fixture.js";
import type { SkypilotOptions } from "./offer-rows.js";
import { readSkypilot } from "./read-skypilot.js";

/** The items of a file of AWS. */
export const read = (content: string | Uint8Array, options: Partial<SkypilotOptions> = {}) =>
  collect(readSkypilot(bytesOf(content), { provider: "aws", ...options }));

/** The item of one row, whose columns are those of {@link skypilotCsv}. */
export const readRow = async (row: Partial<Record<string, string>>, options: Partial<SkypilotOptions> = {}) => {
  const [item] = await read(skypilotCsv(row), options);
  return item;
};
