import { constants } from "node:os";
import { EXIT } from "../output/exit.js";
import { resultLine, type PickResult } from "../output/result.js";
import type { PickOutcome, PickRequest } from "../picker/pick-request.js";
import { initialState, isWaiting, type PickerState } from "../picker/state.js";
import { Keyboard } from "./keyboard.js";
import { Painter } from "./painter.js";
import { Session } from "../picker/session.js";
import type { Terminal } from "./terminal.js";
import { themeFor } from "./theme.js";

/** Signals that end a picker. Ctrl-C is a key here and comes as none. */
const ENDING = ["SIGTERM", "SIGHUP", "SIGINT", "SIGQUIT"] as const;

const TICK_MS = 120;

/** Opens the picker on a terminal that is drawn on, and waits until it is done with. */
export async function pickOnScreen(request: PickRequest, terminal: Terminal): Promise<PickOutcome> {
  const painter = new Painter(themeFor(process.env), (text) => terminal.draw(text));
  const session = new Session(firstState(request, terminal), request.source, {
    paint: (state) => painter.paint(state),
    copy: (text) => terminal.write(`\u001B]52;c;${Buffer.from(text).toString("base64")}\u0007`),
    // The whole job stops, as it does when the terminal itself sees a Ctrl-Z.
    suspend: () => void process.kill(0, "SIGTSTP"),
  });
  const keyboard = new Keyboard((keys) => {
    // A key that starts a wait starts it now.
    session.send({ kind: "tick", nowMs: Date.now() }, ...keys.map((key) => ({ kind: "key", key }) as const));
  });
  const repaint = (): void => {
    painter.forget();
    terminal.draw("\u001B[2J");
    session.send({ kind: "resize", ...terminal.size });
  };
  const stopListening = terminal.listen(keyboard.receive, repaint);
  const resume = (): void => {
    terminal.enter();
    repaint();
  };
  const stop = (): void => {
    terminal.leave();
    // Without a listener the signal does what it always does: it stops the process, or nothing where no shell waits
    // for it to be continued. Either way, what runs next is for a picker that goes on.
    process.off("SIGTSTP", stop);
    process.kill(process.pid, "SIGTSTP");
    setImmediate(() => {
      process.on("SIGTSTP", stop);
      resume();
    });
  };
  process.on("SIGTSTP", stop);
  process.on("SIGCONT", resume);
  const ticking = setInterval(() => tick(session), TICK_MS);
  terminal.enter();
  try {
    return endingOf(await Promise.race([session.run(), endingSignal()]));
  } finally {
    session.close();
    clearInterval(ticking);
    keyboard.close();
    stopListening();
    process.off("SIGTSTP", stop);
    process.off("SIGCONT", resume);
    terminal.leave();
    painter.close();
  }
}

function firstState({ source, query, imageId, hiddenColumns }: PickRequest, terminal: Terminal): PickerState {
  return initialState({
    ...terminal.size,
    nowMs: Date.now(),
    place: source.place,
    query,
    hasAccount: source.hasAccount,
    wantedImageId: imageId,
    hiddenColumns: new Set(hiddenColumns),
  });
}

/** Time goes on quickly while something is awaited, else by the second. */
function tick(session: Session): void {
  const { nowMs } = session.state;
  const now = Date.now();
  if (isWaiting(session.state) || Math.floor(now / 1000) !== Math.floor(nowMs / 1000)) {
    session.send({ kind: "tick", nowMs: now });
  }
}

function endingSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    for (const signal of ENDING) {
      process.once(signal, () => resolve(signal));
    }
  });
}

function endingOf(outcome: PickResult | NodeJS.Signals | undefined): PickOutcome {
  if (outcome === undefined) {
    return { exitCode: EXIT.canceled, output: "" };
  }
  return typeof outcome === "string"
    ? { exitCode: 128 + constants.signals[outcome], output: "" }
    : { exitCode: EXIT.ok, output: resultLine(outcome) };
}
