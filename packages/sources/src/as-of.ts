import * as z from "zod";

/** A date or a time, as sources state it. */
export const asOfSchema = z.union([z.iso.date(), z.iso.datetime()], "must be a date or an ISO 8601 timestamp in UTC");
