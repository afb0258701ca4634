/** Prints the result of a command: as JSON for programs, else as text for people. */
export function print(result: unknown, options: { json?: true }, toText: () => string): void {
  process.stdout.write(options.json === true ? `${JSON.stringify(result, null, 2)}\n` : `${toText()}\n`);
}
