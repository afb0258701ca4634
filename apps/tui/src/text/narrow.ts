const NARROW =
  /^[\x20-\x7e\xa0-\xac\xae-\u02ff\u2010-\u2027\u2030-\u205e\u2190-\u22ff\u2500-\u259f\u2713\u276f\u2800-\u28ff]*$/;

/**
 * Whether all characters of a text are one column wide in any context: Latin letters, punctuation, arrows, mathematical
 * signs, lines and blocks, the symbols of the screen. Others are looked up in Unicode's tables, which takes a hundred
 * times as long and more memory.
 */
export function isNarrow(text: string): boolean {
  return NARROW.test(text);
}
