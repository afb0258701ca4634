import type { Key as InkKey } from "ink";
import type { Key } from "../picker/keys.js";
import { charactersOf } from "../text/width.js";

// Converts Ink's key presses to the names of the key table. Ink passes a burst of characters ("jjj", "h100\r") as one
// press, so a press is any number of keys.

const NAMED = [
  ["upArrow", "Up"],
  ["downArrow", "Down"],
  ["leftArrow", "Left"],
  ["rightArrow", "Right"],
  ["pageUp", "PgUp"],
  ["pageDown", "PgDn"],
  ["home", "Home"],
  ["end", "End"],
  ["delete", "Delete"],
  ["return", "Enter"],
] as const satisfies readonly (readonly [keyof InkKey, Key])[];

/** Keys with Alt. With any other key, the prefix is an Esc that arrived together with the key. */
const ALT: Readonly<Record<string, Key>> = { b: "Alt-B", f: "Alt-F" };

const CONTROLS: Readonly<Record<string, Key>> = {
  "\r": "Enter",
  "\n": "Enter",
  "\t": "Tab",
  "\b": "Backspace",
  "\u007F": "Backspace",
  "\u001B": "Esc",
};

/** The keys of a press that Ink passes to `useInput`. */
export function keysOf(input: string, pressed: InkKey): Key[] {
  if (pressed.backspace) {
    return [pressed.meta ? "Ctrl-W" : "Backspace"];
  }
  if (pressed.tab) {
    return [pressed.shift ? "Shift-Tab" : "Tab"];
  }
  if (pressed.escape) {
    return pressed.meta ? ["Esc", "Esc"] : ["Esc"];
  }
  const name = NAMED.find(([flag]) => pressed[flag])?.[1];
  if (name !== undefined) {
    return pressed.meta && name === "Enter" ? ["Esc", name] : [name];
  }
  if (pressed.ctrl) {
    return /^[a-z[\]\\^_@]$/.test(input) ? [`Ctrl-${input.toUpperCase()}`] : [];
  }
  const keys = charactersOf(input).flatMap(keysOfCharacter);
  if (!pressed.meta) {
    return keys;
  }
  const alt = ALT[input];
  return alt === undefined ? ["Esc", ...keys] : [alt];
}

const LATE: Readonly<Record<string, Key>> = { A: "Up", B: "Down", C: "Right", D: "Left", H: "Home", F: "End" };

/** The key whose Esc arrived long before the rest, `[A`; undefined for other input. */
export function lateKey(input: string): Key | undefined {
  const [, letter = ""] = /^[[O]([A-DFH])$/.exec(input) ?? [];
  return LATE[letter];
}

function keysOfCharacter(character: string): Key[] {
  const control = CONTROLS[character];
  if (control !== undefined) {
    return [control];
  }
  // Each character is a key, except for CR LF and the like, which no keyboard sends.
  const code = character.codePointAt(0) ?? 0;
  if (character === "\r\n") {
    return ["Enter", "Enter"];
  }
  return code >= 32 ? [character] : code === 0 ? [] : [`Ctrl-${String.fromCodePoint(code + 64)}`];
}
