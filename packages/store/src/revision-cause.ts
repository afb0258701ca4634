// The causes of revisions that the product itself looks for. Others are the operator's commands.

/** The cause of the revision that loaded the starter catalog. */
export const STARTER_CAUSE = "starter catalog";
