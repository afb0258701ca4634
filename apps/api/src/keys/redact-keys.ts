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
  const prefixed = text.includes("_") || text.includes("%") ? text.replaceAll(KEY, "gpo_***") : text;
  return prefixed.length < UNPREFIXED_LENGTH
    ? prefixed
    : prefixed.replaceAll(WITHOUT_PREFIX, (run) => (isApiKey(`gpo_${run}`) ? "***" : run));
}
