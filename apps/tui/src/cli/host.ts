import type { Flags } from "./flags.js";
import type { Settings } from "./settings.js";
import type { SourceOptions } from "./source-choice.js";

/** Host functions of the command line. */
export interface Host {
  environment: Readonly<Record<string, string | undefined>>;
  /** Writes the result. */
  print: (text: string) => void;
  /** Prints a message that isn't part of the result. */
  notify: (text: string) => void;
  /** Opens the picker, and ends the program after it. */
  pick: (flags: Flags, settings: Settings) => Promise<void>;
}

/** How a source is opened for a command. */
export function sourceOptions({ environment, notify }: Host, settings: Settings): SourceOptions {
  return { environment, onSlow: createSlowNotifier(notify, settings) };
}

/** Reports once that a server doesn't respond, because its timeout is longer than users wait without feedback. */
export function createSlowNotifier(notify: (text: string) => void, { url }: Settings): () => void {
  let hasNotified = false;
  return () => {
    if (!hasNotified) {
      hasNotified = true;
      notify(`still waiting for a response from ${url}. Press Ctrl-C to stop.`);
    }
  };
}
