// What a stop may do to a client that sends requests one after the other.

/** How a client ended, and when it had sent what was not served, on the clock of `performance.now()`. */
export interface End {
  met: string;
  sentAtMs: number;
}

/** What was lost of a client; undefined when nothing was. */
export function lossOf({ met, sentAtMs }: End, signaledAtMs: number): string | undefined {
  // A request to a closed port fails at once. A kept-alive connection may be closed while a request sent after the signal
  // arrives; the client must retry it elsewhere (RFC 9112, 9.3.1).
  const isLate = met === "ECONNRESET" && sentAtMs > signaledAtMs;
  return met === "ECONNREFUSED" || isLate
    ? undefined
    : `a client met ${met}, ${Math.round(signaledAtMs - sentAtMs)} ms in flight at the signal`;
}
