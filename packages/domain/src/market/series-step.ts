/** Distances of points. Weeks begin on Monday. */
export const SERIES_STEPS = ["hour", "day", "week"] as const;

/** One of {@link SERIES_STEPS}. */
export type SeriesStep = (typeof SERIES_STEPS)[number];

/** Maximum number of points in a series, the last one excluded: a year of days, or three months of hours. */
export const MAX_SERIES_POINTS = 2500;
