/** Kinds of problems with a source of offers. */
type ProblemKind = "unreachable" | "unauthorized" | "limited" | "server" | "response" | "file";

/** A problem to display: what happened, and what to do. */
export interface Problem {
  kind: ProblemKind;
  message: string;
  /** Milliseconds until a retry, if the server states them. */
  retryAfterMs?: number | undefined;
}

/** Whether a problem is transient, so that a retry makes sense. */
export function isTransient({ kind }: Problem): boolean {
  return kind === "unreachable" || kind === "limited" || kind === "server";
}
