// Abort signals that follow the caller's, and waiting with them. AbortSignal.any isn't used because Node 20.0 lacks it,
// and because it leaks with long-lived signals.

/** A controller that aborts with the caller's signal too, until it is released. */
export class FollowingAbort {
  readonly #controller = new AbortController();
  readonly #leader: AbortSignal | undefined;
  readonly #follow = (): void => this.#controller.abort(this.#leader?.reason);

  constructor(leader: AbortSignal | undefined) {
    this.#leader = leader;
    if (leader?.aborted) {
      this.#follow();
    }
    leader?.addEventListener("abort", this.#follow);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  abort(): void {
    this.#controller.abort();
  }

  /** Removes the listener from the caller's signal, which may live as long as the program. */
  release(): void {
    this.#leader?.removeEventListener("abort", this.#follow);
  }
}

/** Waits for the work. Rejects with the signal's reason as soon as it aborts, because not every fetch supports signals. */
export function orAbort<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason);
    signal.addEventListener("abort", stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });
}

/** Waits for some milliseconds. Rejects with the signal's reason as soon as it aborts. */
export async function wait(delayMs: number, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const waiting = new Promise<void>((resolve) => (timer = setTimeout(resolve, delayMs)));
  try {
    await (signal === undefined ? waiting : orAbort(waiting, signal));
  } finally {
    clearTimeout(timer);
  }
}
