import { useApp, usePaste, useWindowSize } from "ink";
import { useEffect, useLayoutEffect, useSyncExternalStore } from "react";
import type { Session } from "../picker/session.js";
import { isWaiting, type PickerState } from "../picker/state.js";
import { useKeys } from "./key-timing.js";

// Connects a session to the screen: keys, pastes, resizes, time and signals go in, states come out.

/** The state of a session, which gets all events of this screen. */
export function useSession(session: Session): PickerState {
  const state = useSyncExternalStore(session.subscribe, session.getState);
  useKeys((...keys) =>
    // A wait that a key starts begins now.
    session.send({ kind: "tick", nowMs: Date.now() }, ...keys.map((key) => ({ kind: "key", key }) as const)),
  );
  usePaste((text) => session.send({ kind: "paste", text }));
  const { columns, rows } = useWindowSize();
  useEffect(() => session.send({ kind: "resize", columns, rows }), [session, columns, rows]);
  useClock(session, isWaiting(state));
  useSuspension(session);
  return state;
}

/** Interval of time events: short during a wait or countdown, otherwise only the age of prices changes. */
const WAIT_TICK_MS = 120;
const REST_TICK_MS = 20_000;

function useClock(session: Session, waits: boolean): void {
  useEffect(() => {
    const tick = (): void => session.send({ kind: "tick", nowMs: Date.now() });
    const ticking = setInterval(tick, waits ? WAIT_TICK_MS : REST_TICK_MS);
    return () => clearInterval(ticking);
  }, [session, waits]);
}

/** Releases the terminal while the process is suspended, and takes it back afterwards. */
function useSuspension(session: Session): void {
  const { suspendTerminal } = useApp();
  // Not an effect, which may be delayed: until then, a stop would leave the shell on this screen.
  useLayoutEffect(() => {
    let isSuspended = false;
    const handOver = async (whileAway: () => Promise<void>): Promise<void> => {
      if (isSuspended) {
        return;
      }
      isSuspended = true;
      try {
        await suspendTerminal(whileAway);
      } catch (error) {
        session.fail(error);
      } finally {
        isSuspended = false;
      }
    };
    const stop = (): void => {
      void handOver(async () => {
        // Without a listener the signal has its default action: it suspends the process, or does nothing without job
        // control. Either way, the picker continues afterwards.
        process.off("SIGTSTP", stop);
        process.kill(process.pid, "SIGTSTP");
        await new Promise((resolve) => {
          setImmediate(resolve);
        });
        process.on("SIGTSTP", stop);
      });
    };
    // After SIGSTOP, which can't be handled, the shell has changed the terminal.
    const continued = (): void => void handOver(() => Promise.resolve());
    process.on("SIGTSTP", stop);
    process.on("SIGCONT", continued);
    return () => {
      process.off("SIGTSTP", stop);
      process.off("SIGCONT", continued);
    };
  }, [session, suspendTerminal]);
}
