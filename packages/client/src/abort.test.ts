import { afterEach, describe, expect, test, vi } from "vitest";
import { eitherSignal, orAbort, wait } from "./abort.js";

afterEach(() => {
  vi.restoreAllMocks();
});

describe("either of two signals", () => {
  test("has the caller's reason, whether it aborted before or after", () => {
    const leader = new AbortController();
    const either = eitherSignal(new AbortController(), leader.signal);
    expect(either.aborted).toBe(false);
    leader.abort("enough");
    expect(either.reason).toBe("enough");
    expect(eitherSignal(new AbortController(), leader.signal).reason).toBe("enough");
  });

  test.for(["with", "without"])("aborts with its controller %s a caller's signal, which it leaves", (which) => {
    const leader = new AbortController();
    const own = new AbortController();
    const either = eitherSignal(own, which === "with" ? leader.signal : undefined);
    own.abort();
    expect(either.aborted).toBe(true);
    expect(leader.signal.aborted).toBe(false);
  });
});

describe("work under a signal", () => {
  test("returns its result or its failure", async () => {
    const { signal } = new AbortController();
    expect(await orAbort(Promise.resolve(5), signal)).toBe(5);
    await expect(orAbort(Promise.reject(new Error("broken")), signal)).rejects.toThrow("broken");
  });

  test("is abandoned as soon as the signal aborts", async () => {
    const abort = new AbortController();
    const work = orAbort(new Promise(() => {}), abort.signal);
    abort.abort("enough");
    await expect(work).rejects.toBe("enough");
  });
});

describe("a wait", () => {
  test("waits for its duration", async () => {
    const startMs = performance.now();
    await wait(50, new AbortController().signal);
    // A timer may fire a fraction of a millisecond early.
    expect(performance.now() - startMs).toBeGreaterThan(48);
  });

  test.for(["before", "during"])(
    "ends with the signal's reason if it aborts %s it, and leaves no timer",
    async (when) => {
      const set = vi.spyOn(globalThis, "setTimeout");
      const cleared = vi.spyOn(globalThis, "clearTimeout");
      const abort = new AbortController();
      if (when === "before") {
        abort.abort("enough");
      }
      const waiting = wait(98_765, abort.signal);
      abort.abort("enough");
      await expect(waiting).rejects.toBe("enough");
      const timers = set.mock.results
        .filter((_, call) => set.mock.calls[call]?.[1] === 98_765)
        .map(({ value }) => value);
      expect(timers).toHaveLength(when === "before" ? 0 : 1);
      expect(cleared.mock.calls.map(([timer]) => timer)).toEqual(expect.arrayContaining(timers));
    },
  );
});
