// Tables show the start of ids, which stands for the whole where no other id begins so.

/** Length of the shortest start of an id that stands for it. */
export const SHORT_ID = 8;

const START = /^[\da-f-]{8,36}$/i;

/** The ids that a text stands for: those that are it or begin with it; none if it is shorter than {@link SHORT_ID}. */
export function idsCalled(text: string, ids: Iterable<string>): string[] {
  const start = text.toLowerCase();
  return START.test(text) ? [...ids].filter((id) => id.startsWith(start)) : [];
}

/** Why the start of several ids stands for none: a clause. */
export function ambiguousIdText(ids: readonly string[]): string {
  return `is the start of ${ids.length} ids: ${ids.slice(0, 3).join(", ")}${ids.length > 3 ? " ..." : ""}; write more of it`;
}
