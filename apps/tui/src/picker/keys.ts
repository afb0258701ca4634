// The table of keys. It defines key handling, footer, help and docs/picker.md.

/** A key by its name: `j`, `Up`, `Ctrl-C`, `Alt-B`. Keys that type a character are named by it. */
export type Key = string;

/** Contexts that handle keys, the topmost part of the screen, with their display names. */
export const CONTEXT_TITLES = {
  list: "list",
  text: "filter field",
  facets: "facets",
  columns: "columns",
  details: "details",
  account: "account",
  launch: "launch texts",
  reading: "reading",
  compare: "compare",
  help: "help",
  images: "image step",
  disk: "disk step",
  confirm: "confirmation",
};

export type Context = keyof typeof CONTEXT_TITLES;

export const CONTEXTS = Object.keys(CONTEXT_TITLES) as readonly Context[];

interface Binding {
  action: string;
  keys: readonly Key[];
  in: readonly Context[];
  /** Description for help and docs. */
  help: string;
  /** Description for the footer; undefined if the footer omits the key. */
  hint?: string;
  /** Whether the footer always shows it. */
  isVital?: true;
}

const everywhere = CONTEXTS;
const notText = CONTEXTS.filter((context) => context !== "text");
const lists = ["list", "columns", "images", "reading"] as const;
const panes = ["details", "account", "launch", "compare", "help"] as const;
const movable = [...lists, ...panes] as const;
const closable = ["columns", "reading", "details", "account", "launch", "compare", "help"] as const;
const steps = ["images", "disk", "confirm"] as const;
const fields = ["text", "facets"] as const;

const TABLE = [
  { action: "pick", keys: ["Enter", "Right"], in: ["list"], help: "choose, open a group", hint: "choose" },
  { action: "pick", keys: ["Enter"], in: ["compare"], help: "choose the offer under the cursor", hint: "choose" },
  { action: "left", keys: ["Left", "h"], in: ["compare"], help: "previous offer", hint: "previous" },
  { action: "right", keys: ["Right", "l"], in: ["compare"], help: "next offer", hint: "next" },
  { action: "copyText", keys: ["y"], in: ["launch"], help: "copy the text", hint: "copy" },
  { action: "left", keys: ["Left", "h"], in: ["launch"], help: "previous tool" },
  { action: "right", keys: ["Right"], in: ["launch"], help: "next tool", hint: "next tool" },
  { action: "openPage", keys: ["o"], in: ["launch"], help: "open the page that rents it", hint: "open page" },
  { action: "dropMarks", keys: ["x"], in: ["compare"], help: "drop all marks", hint: "drop marks" },
  { action: "keep", keys: ["Enter"], in: ["text"], help: "keep the filter", hint: "keep" },
  { action: "next", keys: ["Enter"], in: ["images", "disk"], help: "next step", hint: "next" },
  { action: "next", keys: ["Enter"], in: ["confirm"], help: "accept", hint: "accept" },
  { action: "toggle", keys: ["Enter"], in: ["facets"], help: "toggle, keep a number", hint: "set" },
  { action: "toggleUnlessTyped", keys: [" "], in: ["facets"], help: "set; a space of a search" },
  { action: "toggle", keys: ["Enter", " "], in: ["columns"], help: "toggle", hint: "set" },
  { action: "toggle", keys: ["Enter"], in: ["reading"], help: "take the other reading", hint: "take the other" },
  { action: "reading", keys: ["w"], in: ["list"], help: "how the words are read" },
  { action: "reading", keys: ["Tab"], in: ["text"], help: "how the words are read", hint: "why" },
  { action: "filter", keys: ["/"], in: ["list"], help: "filter", hint: "filter" },
  { action: "sort", keys: ["s"], in: ["list"], help: "next sort key", hint: "sort" },
  { action: "facets", keys: ["f"], in: ["list"], help: "facets: GPU, location, price", hint: "facets" },
  { action: "mark", keys: [" "], in: ["list"], help: "mark to compare", hint: "mark" },
  { action: "compare", keys: ["="], in: ["list"], help: "compare marked offers" },
  { action: "available", keys: ["A"], in: ["list"], help: "in stock or listed only" },
  { action: "closeGroup", keys: ["Left"], in: ["list"], help: "close a group" },
  { action: "nextPane", keys: ["Tab"], in: ["list", "facets", "details"], help: "next pane" },
  { action: "previousPane", keys: ["Shift-Tab"], in: ["list", "facets", "details"], help: "previous pane" },
  { action: "details", keys: ["d"], in: ["list"], help: "details of the offer" },
  { action: "launch", keys: ["l"], in: ["list", "details", "confirm"], help: "texts that rent it", hint: "launch" },
  { action: "openPage", keys: ["o"], in: ["list", "details", "confirm"], help: "open the page that rents it" },
  { action: "copyId", keys: ["y"], in: ["list", "details"], help: "copy the offer's id" },
  { action: "copyJson", keys: ["Y"], in: ["list", "details"], help: "copy the offer as JSON" },
  { action: "reverse", keys: ["S"], in: ["list"], help: "reverse the order" },
  { action: "clearAll", keys: ["x"], in: ["list"], help: "clear all filters" },
  { action: "account", keys: ["a"], in: ["list"], help: "account, rejected rows" },
  { action: "columns", keys: ["C"], in: ["list"], help: "choose columns" },
  { action: "refresh", keys: ["R"], in: ["list", "images", "account"], help: "refresh" },
  { action: "fetchLive", keys: ["L"], in: ["list"], help: "fetch live prices (without a server)" },
  { action: "redraw", keys: ["Ctrl-L"], in: everywhere, help: "redraw the screen" },
  {
    action: "dropFilter",
    keys: ["1", "2", "3", "4", "5", "6", "7", "8", "9"],
    in: ["list"],
    help: "drop a filter, if nothing matches",
  },
  { action: "takeClosest", keys: ["1", "2", "3"], in: ["confirm"], help: "choose a replacement" },
  { action: "up", keys: ["Up", "k", "Ctrl-P"], in: movable, help: "up" },
  { action: "down", keys: ["Down", "j", "Ctrl-N"], in: movable, help: "down" },
  { action: "up", keys: ["Up", "Ctrl-P"], in: fields, help: "up in the list" },
  { action: "down", keys: ["Down", "Ctrl-N"], in: fields, help: "down in the list" },
  { action: "pageUp", keys: ["PgUp"], in: fields, help: "page up in the list" },
  { action: "pageDown", keys: ["PgDn"], in: fields, help: "page down in the list" },
  { action: "pageUp", keys: ["PgUp", "Ctrl-B"], in: movable, help: "page up" },
  { action: "pageDown", keys: ["PgDn", "Ctrl-F"], in: movable, help: "page down" },
  { action: "halfUp", keys: ["Ctrl-U"], in: movable, help: "half a page up" },
  { action: "halfDown", keys: ["Ctrl-D"], in: movable, help: "half a page down" },
  { action: "first", keys: ["g", "Home"], in: movable, help: "first" },
  { action: "last", keys: ["G", "End"], in: movable, help: "last" },
  { action: "first", keys: ["Home"], in: ["facets"], help: "first" },
  { action: "last", keys: ["End"], in: ["facets"], help: "last" },
  { action: "lessDisk", keys: ["Down", "j"], in: ["disk"], help: "10 GB less", hint: "10 less" },
  { action: "moreDisk", keys: ["Up", "k"], in: ["disk"], help: "10 GB more", hint: "10 more" },
  { action: "muchLessDisk", keys: ["PgDn"], in: ["disk"], help: "100 GB less" },
  { action: "muchMoreDisk", keys: ["PgUp"], in: ["disk"], help: "100 GB more" },
  { action: "leastDisk", keys: ["Home"], in: ["disk"], help: "smallest disk" },
  { action: "mostDisk", keys: ["End"], in: ["disk"], help: "largest disk" },
  { action: "backspace", keys: ["Backspace"], in: ["text", "disk", "facets"], help: "erase the previous character" },
  { action: "killLine", keys: ["Ctrl-U"], in: ["text", "disk", "facets"], help: "erase all" },
  { action: "delete", keys: ["Delete"], in: ["text", "disk"], help: "erase the next character" },
  { action: "killWord", keys: ["Ctrl-W"], in: ["text", "disk"], help: "erase the previous word" },
  { action: "killToEnd", keys: ["Ctrl-K"], in: ["text", "disk"], help: "erase to the end" },
  { action: "earlier", keys: ["Ctrl-R"], in: ["text"], help: "an earlier filter" },
  { action: "start", keys: ["Ctrl-A", "Home"], in: ["text"], help: "to the start" },
  { action: "end", keys: ["Ctrl-E", "End"], in: ["text"], help: "to the end" },
  { action: "start", keys: ["Ctrl-A"], in: ["disk"], help: "to the start" },
  { action: "end", keys: ["Ctrl-E"], in: ["disk"], help: "to the end" },
  { action: "left", keys: ["Left"], in: ["text", "disk"], help: "left" },
  { action: "right", keys: ["Right"], in: ["text", "disk"], help: "right" },
  { action: "wordLeft", keys: ["Alt-B"], in: ["text"], help: "a word left" },
  { action: "wordRight", keys: ["Alt-F"], in: ["text"], help: "a word right" },
  { action: "back", keys: ["Esc"], in: ["list"], help: "clear the filter" },
  { action: "leave", keys: ["Esc"], in: ["text"], help: "leave the field", hint: "back" },
  { action: "back", keys: ["Esc"], in: steps, help: "step back", hint: "back" },
  { action: "close", keys: ["Esc", "q"], in: closable, help: "close", hint: "close" },
  { action: "close", keys: ["Esc"], in: ["facets"], help: "clear the search, close", hint: "close" },
  { action: "close", keys: ["d"], in: ["details"], help: "close" },
  { action: "close", keys: ["a"], in: ["account"], help: "close" },
  { action: "close", keys: ["C"], in: ["columns"], help: "close" },
  { action: "close", keys: ["w"], in: ["reading"], help: "close" },
  { action: "close", keys: ["l"], in: ["launch"], help: "close" },
  { action: "close", keys: ["="], in: ["compare"], help: "close" },
  { action: "close", keys: ["?"], in: ["help"], help: "close" },
  { action: "help", keys: ["?"], in: notText.filter((c) => c !== "help"), help: "help", hint: "help", isVital: true },
  { action: "quit", keys: ["q"], in: ["list", ...steps], help: "quit without choosing", hint: "quit", isVital: true },
  { action: "cancel", keys: ["Ctrl-C"], in: everywhere, help: "cancel, exit code 130" },
  { action: "suspend", keys: ["Ctrl-Z"], in: everywhere, help: "suspend; fg resumes" },
] as const satisfies readonly Binding[];

export type Action = (typeof TABLE)[number]["action"];

/** All bindings, in the order of footer, help and docs. */
export const BINDINGS: readonly (Binding & { action: Action })[] = TABLE;

/** The line of a list, of which `height` are visible, that an action moves the cursor to; undefined for other actions. */
export function movedCursor(
  action: Action | undefined,
  { cursor, count, height }: Record<"cursor" | "count" | "height", number>,
): number | undefined {
  const jumps: Partial<Record<Action, number>> = {
    up: cursor - 1,
    down: cursor + 1,
    pageUp: cursor - height,
    pageDown: cursor + height,
    halfUp: cursor - Math.ceil(height / 2),
    halfDown: cursor + Math.ceil(height / 2),
    first: 0,
    last: count - 1,
  };
  const index = action === undefined ? undefined : jumps[action];
  return index === undefined ? undefined : Math.max(0, Math.min(index, count - 1));
}

const GLYPHS: Readonly<Record<Key, string>> = { Up: "↑", Down: "↓", Left: "←", Right: "→", " ": "Space" };

function keyText(key: Key): string {
  return GLYPHS[key] ?? key;
}

/** Key names separated by spaces; consecutive digits are a range. */
export function shortKeys(keys: readonly string[]): string {
  return keys.length > 2 && keys.every((key) => /^\d$/.test(key))
    ? `${keys[0]}–${keys.at(-1)}`
    : keys.map(keyText).join(" ");
}

/** What keys do now where it isn't what they usually do; undefined if there is nothing to act on. */
export type HintsNow = Readonly<Partial<Record<Action, string | undefined>>>;

/** As many whole hints as fit, with the vital ones last. */
export function footerText(context: Context, width: number, now: HintsNow = {}): string {
  const hints = BINDINGS.filter(({ in: contexts }) => contexts.includes(context)).flatMap(
    ({ keys: [key = ""], hint: usual, action, isVital = false }) => {
      const hint = action in now ? now[action] : usual;
      return hint === undefined ? [] : [{ text: `${keyText(key)} ${hint}`, isVital }];
    },
  );
  const joined = (): string => hints.map(({ text }) => text).join("  ");
  while (joined().length > width && hints.some(({ isVital }) => !isVital)) {
    const last = hints.findLastIndex(({ isVital }) => !isVital);
    hints.splice(last, 1);
  }
  return joined();
}
