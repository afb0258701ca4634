// Abort signals that follow the caller's, and waiting with them.

/** A signal that aborts with a controller, or with the caller's signal and its reason. */
export function eitherSignal({ signal }: AbortController, leader: AbortSignal | undefined): AbortSignal {
  return leader === undefined ? signal : AbortSignal.any([leader, signal]);
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
