import { charactersOf } from "../text/width.js";

// Bytes of a terminal as names of keys. Keys arrive in bursts ("jjj", "h100\r") and escape sequences in pieces, so
// this is the only place that knows how many keys a chunk holds.

/** A key by its name: `j`, `Up`, `Ctrl-C`, `Alt-B`. One that writes a character has that character as its name. */
export type Key = string;

const ESCAPE = "\u001B";

const SEQUENCES: Readonly<Record<string, Key>> = {
  "[A": "Up",
  "[B": "Down",
  "[C": "Right",
  "[D": "Left",
  "[H": "Home",
  "[F": "End",
  "[1~": "Home",
  "[3~": "Delete",
  "[4~": "End",
  "[5~": "PgUp",
  "[6~": "PgDn",
  "[7~": "Home",
  "[8~": "End",
  OA: "Up",
  OB: "Down",
  OC: "Right",
  OD: "Left",
  OH: "Home",
  OF: "End",
};

const ALT_KEYS: Readonly<Record<string, Key>> = { b: "Alt-B", f: "Alt-F", "\u007F": "Ctrl-W" };

const CONTROLS: Readonly<Record<string, Key>> = {
  "\r": "Enter",
  "\n": "Enter",
  "\t": "Tab",
  "\b": "Backspace",
  "\u007F": "Backspace",
};

/** A whole sequence behind an escape, one that is not whole yet, or none. */
const SEQUENCE = /^(?:O[A-Z]|\[[0-9;?<]*[@-~])/;
const BEGUN_SEQUENCE = /^(?:O|\[[0-9;?<]*)?$/;

/** Turns what a terminal sends into keys. */
export class KeyDecoder {
  #pending = "";

  /** Whether an escape waits for what may follow it; {@link flush} then says that nothing came. */
  get isWaiting(): boolean {
    return this.#pending !== "";
  }

  /** The keys of the next piece of input. */
  decode(text: string): Key[] {
    const input = this.#pending + text;
    this.#pending = "";
    const keys: Key[] = [];
    let place = 0;
    while (place < input.length) {
      const rest = input.slice(place);
      if (rest.startsWith(ESCAPE) && BEGUN_SEQUENCE.test(rest.slice(1))) {
        this.#pending = rest;
        break;
      }
      const { key, length } = rest.startsWith(ESCAPE) ? escaped(rest) : plain(rest);
      place += length;
      if (key !== undefined) {
        keys.push(key);
      }
    }
    return keys;
  }

  /** The keys of an escape that nothing followed. */
  flush(): Key[] {
    const begun = this.#pending.slice(1);
    const keys = this.#pending === "" ? [] : ["Esc", ...begun.split("")];
    this.#pending = "";
    return keys;
  }
}

interface Decoded {
  /** Undefined for a sequence that names no key here. */
  key: Key | undefined;
  length: number;
}

function escaped(input: string): Decoded {
  const sequence = SEQUENCE.exec(input.slice(1))?.[0];
  if (sequence !== undefined) {
    // Modifiers change nothing here: `[1;2A` is an Up with Shift.
    const name = sequence.replace(/^\[1;\d+(?=[A-Z])/, "[").replace(/;\d+~$/, "~");
    return { key: SEQUENCES[name], length: 1 + sequence.length };
  }
  const alt = ALT_KEYS[input[1] ?? ""];
  return alt === undefined ? { key: "Esc", length: 1 } : { key: alt, length: 2 };
}

function plain(input: string): Decoded {
  const first = String.fromCodePoint(input.codePointAt(0) ?? 0);
  const control = CONTROLS[first];
  if (control !== undefined) {
    return { key: control, length: 1 };
  }
  const code = first.codePointAt(0) ?? 0;
  if (code < 32) {
    return { key: code === 0 ? undefined : `Ctrl-${String.fromCodePoint(code + 64)}`, length: 1 };
  }
  const [character = first] = charactersOf(input.slice(0, 32));
  return { key: character, length: character.length };
}
