// Controls, line and paragraph separators, lone surrogates and bidirectional marks could forge a line of a log or of a
// terminal. Invisible characters would make two texts look the same.
const FORGING = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}]/u;

/**
 * The characters of {@link isPlainText} as a pattern without Unicode classes, which not every JSON Schema validator
 * supports. It omits those beyond U+FFFF and lone surrogates.
 */
export const PLAIN_TEXT_PATTERN = new RegExp(
  `^[^${[
    String.raw`\u0000-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f-\u1160\u17b4-\u17b5\u180b-\u180f\u200b-\u200f`,
    String.raw`\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8`,
  ].join("")}]*$`,
);

/** A pattern of plain texts that also match `pattern`, which has no anchors: by default, that aren't blank. */
export function plainPattern(pattern: string = String.raw`.*\S.*`): string {
  return `^(?=${PLAIN_TEXT_PATTERN.source.slice(1)})${pattern}$`;
}

/** Nearly every text; V8 tests it several times as fast as {@link FORGING}. */
const PRINTABLE_ASCII = /^[ -~]*$/;

/** True if a text has no control characters, no invisible ones, and none that change how surrounding text is displayed. */
export function isPlainText(text: string): boolean {
  return PRINTABLE_ASCII.test(text) || !FORGING.test(text);
}
