/** Kinds of trouble with the place that offers come from. */
export type FaultKind = "unreachable" | "unauthorized" | "limited" | "server" | "answer" | "file";

/** What went wrong, for people: what happened, and what to do. */
export interface Fault {
  kind: FaultKind;
  message: string;
  /** Milliseconds that the server asks to wait before the next try. */
  retryAfterMs?: number | undefined;
}

/** Whether a fault may pass by itself, so that asking again makes sense. */
export function mayPass({ kind }: Fault): boolean {
  return kind === "unreachable" || kind === "limited" || kind === "server";
}
