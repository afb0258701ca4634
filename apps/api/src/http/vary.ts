import type { FastifyReply } from "fastify";

/** Adds a name to the Vary header, which CORS may have set already. */
export function addVary(reply: FastifyReply, name: string): void {
  const names = [reply.getHeader("Vary"), name].filter((known) => known !== undefined);
  reply.header("Vary", names.join(", "));
}
