import { rejections } from "./rejections.facts.js";

/** Every reason why a row is rejected, with what it means and whether it counts against a limit of rejected GPU rows. */
export const REJECTIONS = rejections;

/** One of the codes of {@link REJECTIONS}. */
export type RejectionCode = keyof typeof REJECTIONS;

/** Why a row is rejected: a code for programs and a sentence, with the invalid value, for people. */
export class Rejection {
  constructor(
    /** Why, for programs. */
    readonly code: RejectionCode,
    /** Why, for people: a sentence. */
    readonly reason: string,
    /** The GPU name if it is unknown, so that an operator can define an alias for it. */
    readonly gpuName?: string,
    /** Memory of one GPU in GB that the row states beside an unknown name. */
    readonly gpuMemoryGb?: number,
  ) {}
}
