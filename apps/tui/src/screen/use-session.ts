import type { ReadStream } from "node:tty";
import { useApp, useWindowSize } from "ink";
import { useEffect, useLayoutEffect, useSyncExternalStore } from "react";
import type { Session } from "../picker/session.js";
import { isWaiting, type PickerState } from "../picker/state.js";
import { InputDecoder } from "./input-decoder.js";

// Connects a session to the screen: input, resizes, time and signals go in, states come out.

/** The state of a session, which gets all events of this screen. */
export function useSession(session: Session, input: ReadStream): PickerState {
  const state = useSyncExternalStore(session.subscribe, session.getState);
  const { columns, rows } = useWindowSize();
  useEffect(() => session.send({ kind: "resize", columns, rows }), [session, columns, rows]);
  useClock(session, isWaiting(state));
  useInput(session, input);
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

/** Reads the terminal, which is in raw mode. Releases it while the process is suspended, and takes it back afterwards. */
function useInput(session: Session, input: ReadStream): void {
  const { suspendTerminal } = useApp();
  // Not an effect, which may be delayed: until then, a stop would leave the shell on this screen.
  useLayoutEffect(() => {
    // A wait that a key starts begins now.
    const decoder = new InputDecoder((...events) => session.send({ kind: "tick", nowMs: Date.now() }, ...events));
    input.setEncoding("utf8").on("data", decoder.push);
    let isSuspended = false;
    let isOver = false;
    const handOver = async (whileAway: () => Promise<void>): Promise<void> => {
      if (isSuspended) {
        return;
      }
      isSuspended = true;
      try {
        await suspendTerminal(async () => {
          input.setRawMode(false);
          await whileAway();
          input.setRawMode(!isOver);
        });
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
      isOver = true;
      process.off("SIGTSTP", stop);
      process.off("SIGCONT", continued);
      input.off("data", decoder.push);
      input.setRawMode(false);
    };
  }, [session, input, suspendTerminal]);
}
