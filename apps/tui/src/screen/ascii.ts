// Replaces the symbols of the screen by ASCII characters of the same width, for terminals without UTF-8.

const SYMBOLS: Readonly<Record<string, string>> = {
  "❯": ">",
  "›": ">",
  "×": "x",
  "●": "*",
  "≥": ">",
  "≤": "<",
  "↑": "^",
  "↓": "v",
  "←": "<",
  "→": ">",
  "─": "-",
  "│": "|",
  "–": "-",
  "−": "-",
  "·": "-",
  "…": ".",
  "✓": "+",
};

/** The text in ASCII; other characters are `?`, as often as they are wide. */
export function asciiText(text: string, widthOf: (character: string) => number): string {
  return text.replaceAll(/\P{ASCII}+/gu, (characters) =>
    Array.from(characters, (character) => SYMBOLS[character] ?? "?".repeat(widthOf(character))).join(""),
  );
}

/** Whether the environment names a character set other than UTF-8. Unset is UTF-8, as on macOS and in containers. */
export function needsAscii(environment: Readonly<Record<string, string | undefined>>): boolean {
  const { LC_ALL, LC_CTYPE, LANG } = environment;
  const locale = [LC_ALL, LC_CTYPE, LANG].find((value) => value !== undefined && value !== "");
  return locale !== undefined && !/utf-?8/i.test(locale);
}
