import { hash, randomInt } from "node:crypto";
import { crc32 } from "node:zlib";

// An API key: `gpo_`, 30 random characters, and a 6-character checksum. The prefix and checksum help secret scanners
// find keys, and catch typos without a database query.

const PREFIX = "gpo_";
const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const RANDOM_LENGTH = 30;
const CHECKSUM_LENGTH = 6;

const FORM = /^gpo_[0-9A-Za-z]{36}$/;

/** Generates a key with about 178 random bits. */
export function newApiKey(): string {
  const body = Array.from({ length: RANDOM_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join("");
  return `${PREFIX}${body}${checksum(body)}`;
}

/** Whether a text has the form of a key and a valid checksum. */
export function isApiKey(text: string): boolean {
  return FORM.test(text) && checksum(text.slice(PREFIX.length, -CHECKSUM_LENGTH)) === text.slice(-CHECKSUM_LENGTH);
}

/** The stored hash of a key: hexadecimal SHA-256. Keys are random, so a slow hash would add nothing. */
export function hashApiKey(key: string): string {
  return hash("sha256", key);
}

/** The CRC-32 of a text in base 62, with leading zeros. */
function checksum(text: string): string {
  let rest = crc32(text);
  let digits = "";
  for (let place = 0; place < CHECKSUM_LENGTH; place++) {
    digits = `${ALPHABET[rest % ALPHABET.length]}${digits}`;
    rest = Math.floor(rest / ALPHABET.length);
  }
  return digits;
}
