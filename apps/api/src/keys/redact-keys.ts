import { isApiKey } from "@gpu-offers/store/api-key.store";

// Each letter may be percent-encoded, once or several times.
const LETTER = (plain: string, code: string): string => `(?:${plain}|%(?:25)*${code})`;
const PREFIX = [LETTER("g", "(?:67|47)"), LETTER("p", "(?:70|50)"), LETTER("o", "(?:6f|4f)"), LETTER("_", "5f")].join(
  "",
);
const KEY = new RegExp(`${PREFIX}(?:[a-z0-9]|%(?:25)*[0-9a-f]{2})+`, "gi");

/** A key without its prefix. The checksum distinguishes keys from other texts of this length. */
const WITHOUT_PREFIX = /(?<![0-9A-Za-z])[0-9A-Za-z]{36}(?![0-9A-Za-z])/g;
const UNPREFIXED_LENGTH = 36;

/** Redacts API keys in a text of a request. They must be neither logged nor repeated. */
export function redactKeys(text: string): string {
  const prefixed = /gpo_/i.test(text) || text.includes("%") ? text.replaceAll(KEY, "gpo_***") : text;
  return hasLongRun(prefixed)
    ? prefixed.replaceAll(WITHOUT_PREFIX, (run) => (isApiKey(`gpo_${run}`) ? "***" : run))
    : prefixed;
}

/** Whether a text has a run of letters and digits as long as a key. The pattern takes ten times as long to find none. */
function hasLongRun(text: string): boolean {
  let length = 0;
  for (let at = 0; at < text.length && length < UNPREFIXED_LENGTH; at++) {
    const code = text.charCodeAt(at);
    const letter = code | 32;
    length = (letter >= 97 && letter <= 122) || (code >= 48 && code <= 57) ? length + 1 : 0;
  }
  return length === UNPREFIXED_LENGTH;
}
