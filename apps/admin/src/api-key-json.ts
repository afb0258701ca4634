import * as z from "zod";

/** An API key in JSON, without its secret: output of `key revoke`, and part of `key list` and `account show`. */
export const apiKeyJson = z.strictObject({
  id: z.uuid(),
  account_id: z.uuid(),
  label: z.string(),
  created_at: z.iso.datetime(),
  expires_at: z.iso.datetime().nullable(),
  revoked_at: z.iso.datetime().nullable(),
  last_used_at: z.iso.datetime().nullable(),
});
