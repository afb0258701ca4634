/** A line of a read-only pane. */
export type TextRow =
  | { kind: "title"; text: string }
  | { kind: "pair"; name: string; value: string }
  | { kind: "note"; text: string }
  | { kind: "warning"; text: string };
