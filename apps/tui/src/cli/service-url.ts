/** What the address of a service must be. */
export const URL_REASON = "must be an http or https URL such as http://127.0.0.1:3000";

/** Whether a text can be the address of a service. */
export function isServiceUrl(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}
