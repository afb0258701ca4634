/** Kinds of trouble with the place that offers come from. */
export type ProblemKind = "unreachable" | "unauthorized" | "limited" | "server" | "response" | "file";

/** What went wrong, for people: what happened, and what to do. */
export interface Problem {
  kind: ProblemKind;
  message: string;
  /** Milliseconds that the server asks to wait before the next try. */
  retryAfterMs?: number | undefined;
}

/** Whether a problem may pass by itself, so that asking again makes sense. */
export function mayPass({ kind }: Problem): boolean {
  return kind === "unreachable" || kind === "limited" || kind === "server";
}
