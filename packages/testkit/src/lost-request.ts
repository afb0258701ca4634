// What a stop may do to a client that sends requests one after the other.

/** How a client ended, and when it had sent what was not served, on the clock of `performance.now()`. */
export interface End {
  met: string;
  sentAtMs: number;
}

/** What was lost of a client; undefined when nothing was. */
export function lossOf({ met, sentAtMs }: End, signaledAtMs: number): string | undefined {
  // Whoever asks a closed port learns it at once. A kept connection may be closed while a request of after the signal
  // comes, when the client was late; it asks again elsewhere, as RFC 9112 9.3.1 has it.
  const isLate = met === "ECONNRESET" && sentAtMs > signaledAtMs;
  return met === "ECONNREFUSED" || isLate
    ? undefined
    : `a client met ${met}, ${Math.round(signaledAtMs - sentAtMs)} ms in flight at the signal`;
}
