import { readFileSync } from "node:fs";

// Bytes that are not a valid HTTP request, or that can be parsed in two ways. In the file, `{100*X-A: a}` is 100 times
// the text.

type Malformed = [what: string, bytes: string, status: number];

const rows = JSON.parse(readFileSync(new URL("./malformed-requests.json", import.meta.url), "utf8")) as Malformed[];

/** Bytes that a service rejects, with the expected status. */
export const malformedRequests: readonly Malformed[] = [
  ...rows.map(([what, bytes, status]): Malformed => {
    const whole = bytes.replaceAll(/\{(\d+)\*([^}]*)\}/g, (_, count: string, text: string) =>
      text.repeat(Number(count)),
    );
    return [what, whole, status];
  }),
  ["every possible byte", String.fromCharCode(...Array.from({ length: 256 }, (_, byte) => byte)), 400],
];
