/** A clause as a sentence: with a full stop, unless it ends with one or asks something. */
export function asSentence(clause: string): string {
  return /[.?]$/.test(clause) ? clause : `${clause}.`;
}
