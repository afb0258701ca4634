// The causes of revisions that the product itself looks for. Others are the operator's commands.

const LIVE = "live: ";

/** Pattern for SQL's `like`: the causes of {@link liveCause}. */
export const LIVE_CAUSES = `${LIVE}%`;

/**
 * The cause of a revision of live sources.
 * @param detail their names, and why the catalog changed if not by a run.
 */
export function liveCause(detail: string): string {
  return `${LIVE}${detail}`;
}
