import { spawn } from "node:child_process";
import { constants } from "node:os";
import { setTimeout as wait } from "node:timers/promises";
import type { ReadStream } from "node:tty";
import { setFlagsFromString } from "node:v8";
import chalk from "chalk";
import { render, type Instance, type RenderOptions } from "ink";
import type { PickResult } from "../output/result.js";
import { endedOutcome, type PickOutcome, type PickRequest } from "../picker/pick-request.js";
import { Session } from "../picker/session.js";
import { initialState, type PickerState } from "../picker/state.js";
import { textWidth } from "../text/width.js";
import { App } from "./App.js";
import { CellWriter } from "./cell-writer.js";
import type { Terminal } from "./terminal.js";
import { ThemeContext, themeFor } from "./Row.js";

/** Signals that end the picker. Ctrl-C is a key here, not a signal. */
const ENDING = ["SIGTERM", "SIGHUP", "SIGINT", "SIGQUIT"] as const;

/** Events of the input when the terminal closes. */
const CLOSING = ["end", "error", "close"] as const;

/** Milliseconds that the first frame waits for the first page. A frame without rows would delay the rows by 10 ms. */
const FIRST_FRAME_MS = 200;

/** Opens the picker on a terminal, and waits until it ends. */
export async function pickOnScreen(request: PickRequest, { input, output, size }: Terminal): Promise<PickOutcome> {
  const writer = new CellWriter({
    write: (text) => output.write(text),
    size,
    ...(needsAscii(process.env) ? { convert: (text: string) => asciiText(text, textWidth) } : {}),
  });
  const { source, isLive } = request;
  const { columns, rows } = writer;
  const session = new Session(initialState({ ...request, columns, rows, nowMs: Date.now() }), source, {
    copy: (text) => void output.write(`\u001B]52;c;${Buffer.from(text).toString("base64")}\u0007`),
    open: (url) => openUrl(url, process.env),
    redraw: () => writer.redraw(),
    // Suspend the whole job, as the terminal does on Ctrl-Z.
    suspend: () => void process.kill(0, "SIGTSTP"),
    save: request.save,
  });
  const { promise: signaled, resolve } = Promise.withResolvers<NodeJS.Signals>();
  // Not `once`: Ink ends the process by the signal if there is no other listener.
  const ignoreSignals = listen(process, ENDING, resolve);
  // A shell that ignores SIGHUP doesn't pass it on when its terminal closes; then there is nothing left to read.
  const ignoreClosing = listen(input, CLOSING, () => resolve("SIGHUP"));
  const ended = Promise.race([session.run(isLive), signaled]);
  let app: Instance | undefined;
  // Ink would restore the screen after all other exit listeners, and a final message would be lost.
  const giveBack = (): void => app?.unmount();
  process.once("exit", giveBack);
  try {
    await Promise.race([session.until(hasPage), wait(FIRST_FRAME_MS), ended]);
    keepHeapSmall();
    app = openScreen(session, input, writer);
    return outcomeOf(await ended, request.isText);
  } finally {
    process.off("exit", giveBack);
    session.close();
    app?.unmount();
    await app?.waitUntilExit();
    writer.destroy();
    ignoreSignals();
    ignoreClosing();
  }
}

/**
 * Keeps the memory of a picker small, which may stay open for days. Called with the first page, when everything is
 * loaded: with these flags, V8 rejects the code that Node has cached of its own modules, and a start takes a quarter more
 * processor time.
 */
function keepHeapSmall(): void {
  // The picker allocates mostly short-lived objects. By default V8 grows the young generation to 64 MB and never shrinks it.
  setFlagsFromString("--semi-space-growth-factor=1");
  // Collect the old generation earlier: without this, a list of 50,000 offers took 430 MB after four reloads, with it
  // 190 MB. It takes a third more CPU time while the offers are loading.
  setFlagsFromString("--optimize-for-size");
  // Don't optimize WebAssembly: Ink's layout is fast enough, and the memory that optimizing it takes is never freed.
  setFlagsFromString("--wasm-tiering-budget=1000000000");
}

function openScreen(session: Session, input: ReadStream, writer: CellWriter): Instance {
  // The theme decides on color. At chalk's level 0, bold and inverse would be dropped as well.
  chalk.level = 1;
  // While there is a listener, a stop during the first frame is handled after it, by the screen.
  const delayed = (): void => {};
  process.on("SIGTSTP", delayed);
  try {
    // Not in an effect: until then, the terminal would echo keys onto the first frame.
    input.setRawMode(true);
    return render(
      <ThemeContext value={themeFor(process.env)}>
        <App session={session} input={input} />
      </ThemeContext>,
      { ...INK_OPTIONS, stdout: writer, stdin: input },
    );
  } catch (error) {
    input.setRawMode(false);
    throw error;
  } finally {
    process.off("SIGTSTP", delayed);
  }
}

/** Ink's options for a stream that compares frames by itself. */
export const INK_OPTIONS = {
  alternateScreen: true,
  // Also with CI=true: there is a terminal, and the picker was requested.
  interactive: true,
  // Write each frame whole; the writer compares it with the previous one.
  debug: true,
  exitOnCtrlC: false,
  patchConsole: false,
} as const satisfies RenderOptions;

/** Whether the first page has arrived, or loading has failed. */
function hasPage({ loaded: { total, load } }: PickerState): boolean {
  return total !== undefined || load.kind !== "loading";
}

/** Adds a listener for several events. Returns what removes it. */
function listen<Event extends string>(
  emitter: NodeJS.EventEmitter,
  events: readonly Event[],
  listener: (event: Event) => void,
): () => void {
  events.forEach((event) => emitter.on(event, listener));
  return () => events.forEach((event) => emitter.off(event, listener));
}

function outcomeOf(outcome: PickResult | NodeJS.Signals | undefined, isText: boolean): PickOutcome {
  return typeof outcome === "string"
    ? { exitCode: 128 + constants.signals[outcome], output: "" }
    : endedOutcome(outcome, isText);
}

/** The command that opens an address; undefined if there is no screen to open it on. */
function openerOf({ BROWSER = "", DISPLAY = "", WAYLAND_DISPLAY = "" }: NodeJS.ProcessEnv): string | undefined {
  const [browser = ""] = BROWSER.split(":");
  if (browser !== "") {
    return browser;
  }
  if (process.platform === "darwin") {
    return "open";
  }
  return DISPLAY + WAYLAND_DISPLAY === "" ? undefined : "xdg-open";
}

/** Opens an address in the browser of the desktop, or of BROWSER. Resolves with whether there is one. */
function openUrl(url: string, environment: NodeJS.ProcessEnv): Promise<boolean> {
  const opener = openerOf(environment);
  return new Promise((resolve) => {
    if (opener === undefined) {
      resolve(false);
      return;
    }
    const child = spawn(opener, [url], { stdio: "ignore", detached: true });
    child.once("error", () => resolve(false));
    child.once("spawn", () => resolve(true));
    child.unref();
  });
}

/** ASCII characters of the same width, for terminals without UTF-8. */
const SYMBOLS: Readonly<Record<string, string>> = {
  "❯": ">",
  "›": ">",
  "×": "x",
  "●": "*",
  "≥": ">",
  "≤": "<",
  "↑": "^",
  "↓": "v",
  "←": "<",
  "→": ">",
  "─": "-",
  "│": "|",
  "–": "-",
  "−": "-",
  "·": "-",
  "…": ".",
  "✓": "+",
};

/** The text in ASCII; other characters are `?`, as often as they are wide. */
export function asciiText(text: string, widthOf: (character: string) => number): string {
  return text.replaceAll(/\P{ASCII}+/gu, (characters) =>
    Array.from(characters, (character) => SYMBOLS[character] ?? "?".repeat(widthOf(character))).join(""),
  );
}

/** Whether the environment names a character set other than UTF-8. Unset is UTF-8, as on macOS and in containers. */
export function needsAscii(environment: Readonly<Record<string, string | undefined>>): boolean {
  const { LC_ALL, LC_CTYPE, LANG } = environment;
  const locale = [LC_ALL, LC_CTYPE, LANG].find((value) => value !== undefined && value !== "");
  return locale !== undefined && !/utf-?8/i.test(locale);
}
