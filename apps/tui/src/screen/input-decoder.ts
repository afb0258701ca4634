import type { PickerEvent } from "../picker/event.js";
import type { Key } from "../picker/keys.js";
import { charactersOf } from "../text/width.js";

// Decodes what a terminal sends: bursts of characters ("jjj", "h100\r"), keys, pastes and the mouse.

const ESC = "\u001B";
const PASTE_START = `${ESC}[200~`;
const PASTE_END = `${ESC}[201~`;

/** Milliseconds that an Esc waits for the rest of a key that a slow connection split. Another key ends the wait. */
const ESCAPE_MS = 200;

/** Milliseconds since its Esc after which that rest is text. */
const LATE_MS = 500;

/** Milliseconds without input after which a paste counts as ended. Without its end, it would swallow Ctrl-C, too. */
const PASTE_MS = 1_000;

const WHEEL_ROWS = 3;

const WHEEL: Readonly<Record<string, Key>> = { "64": "Up", "65": "Down" };

/** Ends of sequences by their key, whatever the modifiers. */
const SEQUENCES: readonly (readonly [Key, ...ends: string[]])[] = [
  ["Up", "A", "a"],
  ["Down", "B", "b"],
  ["Right", "C", "c"],
  ["Left", "D", "d"],
  ["Home", "H", "1~", "7~"],
  ["End", "F", "4~", "8~"],
  ["PgUp", "5~"],
  ["PgDn", "6~"],
  ["Delete", "3~"],
  ["Shift-Tab", "Z"],
  ["Enter", "OM"],
];

/** Keys after an Esc that arrived together with them. With any other key, it is an Esc of its own. */
const ALT: Readonly<Record<string, Key>> = { b: "Alt-B", f: "Alt-F", "\b": "Ctrl-W", "\u007F": "Ctrl-W" };

const CONTROLS: Readonly<Record<string, readonly Key[]>> = {
  "\u0000": [],
  "\b": ["Backspace"],
  "\t": ["Tab"],
  "\n": ["Enter"],
  "\r": ["Enter"],
  "\r\n": ["Enter", "Enter"],
  [ESC]: ["Esc"],
  "\u007F": ["Backspace"],
};

/** What a text begins with: a report of the mouse, a sequence, Alt with a key, an Esc, or characters. */
const tokenPattern = new RegExp(
  [
    String.raw`^${ESC}\[<(?<button>\d+);(?<column>\d+);(?<row>\d+)(?<end>[Mm])`,
    // rxvt ends keys with Shift by $. A second bracket is that of function keys.
    String.raw`${ESC}{1,2}(?<start>\[\[?|O)(?<parameters>[0-?]*)[ -#%-/]*(?<final>[@-~$])`,
    String.raw`${ESC}(?<alt>[bf\u0008\u007F])`,
    ESC,
    `[^${ESC}]+`,
  ].join("|^"),
);

/** The beginning of a sequence whose end may follow. */
const begunPattern = new RegExp(String.raw`^${ESC}{1,2}(?:(?:\[\[?|O)[0-?]*[ -#%-/]*)?$`);

/** Decodes the input of a terminal, chunk by chunk. */
export class InputDecoder {
  /** The beginning of a sequence or a paste. */
  #begun = "";
  #timer: NodeJS.Timeout | undefined;
  /** When an Esc arrived after which there was no other key. */
  #escapeMs = Number.NEGATIVE_INFINITY;

  /** @param send Called with the events of a chunk, in order. */
  constructor(private readonly send: (...events: readonly PickerEvent[]) => void) {}

  /** Decodes a chunk. The beginning of a sequence waits for the next one. */
  readonly push = (chunk: string): void => {
    clearTimeout(this.#timer);
    const nowMs = performance.now();
    const isRest = /^(?:\[|O[A-DFH])/.test(chunk);
    // Its Esc already counted as one.
    const isLate = this.#begun === "" && nowMs - this.#escapeMs < LATE_MS && /^[[O][A-DFH]$/.test(chunk);
    const begun = isLate ? ESC : this.#begun;
    const isApart = begun === ESC && !isRest;
    this.#escapeMs = chunk.endsWith(ESC) ? nowMs : isRest ? this.#escapeMs : Number.NEGATIVE_INFINITY;
    this.#emit([...(isApart ? keyEvents(["Esc"]) : []), ...this.#decode(isApart ? chunk : begun + chunk)]);
  };

  /** The events of a text, up to what has only begun. */
  #decode(text: string): PickerEvent[] {
    const events: PickerEvent[] = [];
    let rest = text;
    while (rest !== "" && !begunPattern.test(rest)) {
      const end = rest.startsWith(PASTE_START) ? rest.indexOf(PASTE_END) : undefined;
      if (end === -1) {
        break;
      }
      const token = tokenPattern.exec(rest);
      events.push(...(end === undefined ? eventsOf(token) : [pasteOf(rest.slice(0, end))]));
      rest = rest.slice(end === undefined ? token?.[0].length : end + PASTE_END.length);
    }
    this.#begun = rest;
    if (rest !== "") {
      this.#timer = setTimeout(this.#end, rest.startsWith(PASTE_START) ? PASTE_MS : ESCAPE_MS);
    }
    return events;
  }

  /** Ends what has begun: a paste, an Esc that nothing followed, or no sequence at all. */
  readonly #end = (): void => {
    const begun = this.#begun;
    this.#begun = "";
    this.#emit(begun.startsWith(PASTE_START) ? [pasteOf(begun)] : keyEvents(keysOf(begun)));
  };

  #emit(events: readonly PickerEvent[]): void {
    if (events.length > 0) {
      this.send(...events);
    }
  }
}

function pasteOf(text: string): PickerEvent {
  return { kind: "paste", text: text.slice(PASTE_START.length) };
}

function keyEvents(keys: readonly Key[]): PickerEvent[] {
  return keys.map((key) => ({ kind: "key", key }));
}

function eventsOf(token: RegExpExecArray | null): PickerEvent[] {
  const [text = ""] = token ?? [];
  const { button, column, row, end, start, parameters = "", final, alt } = token?.groups ?? {};
  if (button !== undefined) {
    const wheel = WHEEL[button];
    // Only the left button; its release is no click.
    return wheel !== undefined
      ? keyEvents(Array.from({ length: WHEEL_ROWS }, () => wheel))
      : button === "0" && end === "M"
        ? [{ kind: "click", column: Number(column) - 1, row: Number(row) - 1 }]
        : [];
  }
  if (final !== undefined) {
    return keyEvents(sequenceKeys(start, parameters.split(";"), final));
  }
  return keyEvents(alt === undefined ? keysOf(text) : [ALT[alt] ?? alt]);
}

/** The keys of a sequence; none for a key without a meaning, and for the terminal's responses. */
function sequenceKeys(start = "", [number = "", modifiers = ""]: readonly string[], final: string): Key[] {
  if (final === "u" && /^\d{1,5}$/.test(number)) {
    // Some terminals send the number of a character.
    const character = String.fromCodePoint(Number(number));
    return ((Number(modifiers || 1) - 1) & 4) === 4 ? [`Ctrl-${character.toUpperCase()}`] : keysOf(character);
  }
  const name = /[~$^@]/.test(final) ? `${number}~` : start === "[[" || number.startsWith("?") ? "" : final;
  return SEQUENCES.flatMap(([key, ...ends]) => (ends.includes(name) || ends.includes(start + name) ? [key] : []));
}

function keysOf(text: string): Key[] {
  return charactersOf(text).flatMap((character): readonly Key[] => {
    const code = character.codePointAt(0) ?? 0;
    return CONTROLS[character] ?? [code < 32 ? `Ctrl-${String.fromCodePoint(code + 64)}` : character];
  });
}
