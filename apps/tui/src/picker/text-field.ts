import { charactersOf } from "../text/width.js";
import { isPlainText } from "@gpu-offers/domain";

// A text field with a cursor and the usual editing keys of shells.

/** A text and its cursor position, counted in graphemes. */
export interface TextField {
  text: string;
  cursor: number;
}

/** Maximum length of the text: no filter needs more, but pasted text may be longer. */
const MAX_CHARACTERS = 200;

/** A field with the cursor at its end. */
export function fieldOf(text: string): TextField {
  return { text, cursor: charactersOf(text).length };
}

/** Inserts a character at the cursor. */
export function insert(field: TextField, text: string): TextField {
  const characters = charactersOf(field.text);
  if (!isPlainText(text) || characters.length + text.length > MAX_CHARACTERS) {
    return field;
  }
  const before = characters.slice(0, field.cursor).join("") + text;
  return { text: before + characters.slice(field.cursor).join(""), cursor: charactersOf(before).length };
}

/** Inserts pasted text at the cursor: line breaks and tabs become spaces, other control characters are removed. */
export function paste(field: TextField, text: string): TextField {
  const characters = charactersOf(field.text);
  const plain = Array.from(text.replaceAll(/\s+/gu, " "), (character) => (isPlainText(character) ? character : ""));
  const pasted = charactersOf(plain.join("").trim()).slice(0, MAX_CHARACTERS - characters.length);
  const before = [...characters.slice(0, field.cursor), ...pasted];
  return { text: [...before, ...characters.slice(field.cursor)].join(""), cursor: before.length };
}

type Edit = (characters: string[], cursor: number) => { characters: string[]; cursor: number };

const EDITS: Readonly<Record<string, Edit>> = {
  left: (characters, cursor) => ({ characters, cursor: Math.max(0, cursor - 1) }),
  right: (characters, cursor) => ({ characters, cursor: Math.min(characters.length, cursor + 1) }),
  start: (characters) => ({ characters, cursor: 0 }),
  end: (characters) => ({ characters, cursor: characters.length }),
  wordLeft: (characters, cursor) => ({ characters, cursor: wordStart(characters, cursor) }),
  wordRight: (characters, cursor) => ({ characters, cursor: wordEnd(characters, cursor) }),
  backspace: (characters, cursor) => cut(characters, cursor - 1, cursor),
  delete: (characters, cursor) => cut(characters, cursor, cursor + 1),
  killWord: (characters, cursor) => cut(characters, wordStart(characters, cursor), cursor),
  killToEnd: (characters, cursor) => cut(characters, cursor, characters.length),
  killLine: () => ({ characters: [], cursor: 0 }),
};

/** The field after an action; undefined if that edits no text. */
export function edited(field: TextField, action: string): TextField | undefined {
  const after = EDITS[action]?.(charactersOf(field.text), field.cursor);
  return after && { text: after.characters.join(""), cursor: after.cursor };
}

function cut(characters: string[], from: number, to: number): ReturnType<Edit> {
  const start = Math.max(0, from);
  return { characters: [...characters.slice(0, start), ...characters.slice(to)], cursor: start };
}

function wordStart(characters: readonly string[], cursor: number): number {
  const before = characters.slice(0, cursor);
  const end = before.findLastIndex((character) => character !== " ");
  return before.slice(0, Math.max(0, end)).lastIndexOf(" ") + 1;
}

function wordEnd(characters: readonly string[], cursor: number): number {
  const start = characters.findIndex((character, index) => index >= cursor && character !== " ");
  const end = start === -1 ? -1 : characters.indexOf(" ", start);
  return end === -1 ? characters.length : end;
}
