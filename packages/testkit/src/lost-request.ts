// Checks what a stopping service does to a client that sends requests one after the other.

/** How a client ended, and when it sent its failed request, by `performance.now()`. */
export interface End {
  met: string;
  sentAtMs: number;
}

/** Describes a lost request of a client; undefined if none was lost. */
export function lossOf({ met, sentAtMs }: End, signaledAtMs: number): string | undefined {
  // A request to a closed port fails at once. A kept-alive connection may be closed while a request sent after the signal
  // arrives; the client must retry it elsewhere (RFC 9112, 9.3.1).
  const isLate = met === "ECONNRESET" && sentAtMs > signaledAtMs;
  return met === "ECONNREFUSED" || isLate
    ? undefined
    : `a client met ${met}, ${Math.round(signaledAtMs - sentAtMs)} ms in flight at the signal`;
}
