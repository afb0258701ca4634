import { useApp, useInput, usePaste, useWindowSize } from "ink";
import { useEffect, useSyncExternalStore } from "react";
import type { Session } from "../picker/session.js";
import { isWaiting, type PickerState } from "../picker/state.js";
import { keysOf } from "./key-names.js";

// The session behind the screen: keys, pastes, the window, time and signals go in, states come out.

/** The state of a session, which hears all that happens on this screen. */
export function useSession(session: Session): PickerState {
  const state = useSyncExternalStore(session.subscribe, session.getState);
  useInput((input, key) => {
    // A key that starts a wait starts it now.
    session.send(
      { kind: "tick", nowMs: Date.now() },
      ...keysOf(input, key).map((name) => ({ kind: "key", key: name }) as const),
    );
  });
  usePaste((text) => session.send({ kind: "paste", text }));
  const { columns, rows } = useWindowSize();
  useEffect(() => session.send({ kind: "resize", columns, rows }), [session, columns, rows]);
  useClock(session, isWaiting(state));
  useSuspension();
  return state;
}

/** While something is waited for, a wait or a countdown is on the screen; else only the age of prices changes. */
const WAIT_TICK_MS = 120;
const REST_TICK_MS = 20_000;

function useClock(session: Session, waits: boolean): void {
  useEffect(() => {
    const tick = (): void => session.send({ kind: "tick", nowMs: Date.now() });
    const ticking = setInterval(tick, waits ? WAIT_TICK_MS : REST_TICK_MS);
    return () => clearInterval(ticking);
  }, [session, waits]);
}

/** Gives the terminal back while the process is stopped, by its own key or from outside, and takes it again. */
function useSuspension(): void {
  const { suspendTerminal } = useApp();
  useEffect(() => {
    let isSuspended = false;
    const handOver = async (whileAway: () => Promise<void>): Promise<void> => {
      if (!isSuspended) {
        isSuspended = true;
        await suspendTerminal(whileAway);
        isSuspended = false;
      }
    };
    const stop = (): void => {
      void handOver(async () => {
        // Without a listener the signal does what it always does: it stops the process, or nothing where no shell waits
        // for it to be continued. Either way, what runs next is for a picker that goes on.
        process.off("SIGTSTP", stop);
        process.kill(process.pid, "SIGTSTP");
        await new Promise((resolve) => {
          setImmediate(resolve);
        });
        process.on("SIGTSTP", stop);
      });
    };
    // After a stop that nobody could hear of (SIGSTOP), the shell has changed the terminal.
    const continued = (): void => void handOver(() => Promise.resolve());
    process.on("SIGTSTP", stop);
    process.on("SIGCONT", continued);
    return () => {
      process.off("SIGTSTP", stop);
      process.off("SIGCONT", continued);
    };
  }, [suspendTerminal]);
}
