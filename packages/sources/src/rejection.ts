/** A code with when a row is rejected so, for documentation. Such a row counts against a limit of rejected GPU rows. */
const wrong = (meaning: string) => ({ meaning, isGpuRow: true });

/** The same where the source is right and we don't want the offer. */
const unwanted = (meaning: string) => ({ meaning, isGpuRow: false });

/** Every reason why a row is rejected. The table is closed; programs may count by its codes. */
export const REJECTIONS = {
  bad_row: wrong(
    "The row has more or fewer fields than the header, an overlong field, or is not a JSON object of the expected form.",
  ),
  missing_value: wrong("A required field is empty."),
  bad_number: wrong("A numeric field is not a non-negative decimal number."),
  no_price: wrong("The row has no price."),
  spot_only: unwanted("The row has only a spot price."),
  bad_price: wrong("The price is not a decimal number, or is zero, negative or too large."),
  not_a_gpu: unwanted("The accelerator is known and is not a GPU."),
  unknown_gpu: wrong("The table of GPU models has no GPU with this name."),
  ambiguous_gpu: wrong("Several GPU models match the row."),
  vram_mismatch: wrong("No GPU with this name has the memory that the row states."),
  conflicting_gpu: wrong("The row names two different GPU models."),
  bad_gpu_info: wrong("The details of the GPU cannot be read, or describe several GPUs."),
  bad_count: wrong("The GPU count is not a positive whole number, or the row states two different counts."),
  sold_apart: unwanted("The card is sold apart from machines, so the row has no price of a whole instance."),
  half_machine: unwanted(
    "The source has separate prices for machines and cards, and another part of this one has none.",
  ),
  fractional_gpu: unwanted("The row is a share of a card."),
  not_rentable: unwanted("The provider lists the type but doesn't rent it out, or states no place for it."),
  other_terms: unwanted(
    "The price is for other terms: a reservation, a commitment, a Windows license or another service.",
  ),
  bad_unit: wrong("The price is not per hour of the whole instance."),
  unknown_currency: wrong("The price is not in USD, and conversion is off or has no rate."),
  duplicate: unwanted("Another row of the source has the same id, and in a marketplace a lower price."),
  contradiction: unwanted(
    "Another row of the source has the same machine at a higher price, which is not a marketplace's choice.",
  ),
  unknown_provider: wrong("The provider of the offer is not defined before it."),
  bad_provider_name: wrong("The provider's name is not lower-case and URL-safe."),
  unknown_country: wrong("The country code is not an ISO 3166-1 alpha-2 code."),
  invalid_offer: wrong("The offer is not valid for publishing."),
};

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
