/**
 * Whether a client prefers HTML to JSON (RFC 9110, 12.5.1): it names text/html, as browsers do, and JSON isn't weighted
 * higher. Clients that accept everything are programs.
 */
export function prefersHtml(accept: string | undefined): boolean {
  const weights = new Map(
    (accept ?? "").split(",").map((item): [string, number] => {
      const [type = "", ...parameters] = item.split(";").map((part) => part.trim().toLowerCase());
      return [type, Number(parameters.find((parameter) => parameter.startsWith("q="))?.slice(2) ?? 1)];
    }),
  );
  const weight = weights.get("text/html") ?? 0;
  return weight > 0 && weight >= (weights.get("application/json") ?? 0);
}
