interface RejectionKind {
  /** When a row is rejected with this code, for documentation. */
  meaning: string;
  /** Whether the row counts against a limit of rejected GPU rows. False if the source is right and we don't want the offer. */
  isGpuRow: boolean;
}

/** Every reason why a row is rejected. The table is closed; programs may count by its codes. */
export const REJECTIONS = {
  bad_row: {
    meaning:
      "The row has more or fewer fields than the header, an overlong field, or is not a JSON object of the expected form.",
    isGpuRow: true,
  },
  missing_value: { meaning: "A required field is empty.", isGpuRow: true },
  bad_number: {
    meaning: "A numeric field is not a non-negative decimal number.",
    isGpuRow: true,
  },
  no_price: { meaning: "The row has no price.", isGpuRow: true },
  spot_only: { meaning: "The row has only a spot price.", isGpuRow: false },
  bad_price: { meaning: "The price is not a decimal number, or is zero, negative or too large.", isGpuRow: true },
  not_a_gpu: { meaning: "The accelerator is known and is not a GPU.", isGpuRow: false },
  unknown_gpu: { meaning: "The table of GPU models has no GPU with this name.", isGpuRow: true },
  ambiguous_gpu: { meaning: "Several GPU models match the row.", isGpuRow: true },
  vram_mismatch: { meaning: "No GPU with this name has the memory that the row states.", isGpuRow: true },
  conflicting_gpu: { meaning: "The row names two different GPU models.", isGpuRow: true },
  bad_gpu_info: { meaning: "The details of the GPU cannot be read, or describe several GPUs.", isGpuRow: true },
  bad_count: {
    meaning: "The GPU count is not a positive whole number, or the row states two different counts.",
    isGpuRow: true,
  },
  sold_apart: {
    meaning: "The card is sold apart from machines, so the row has no price of a whole instance.",
    isGpuRow: false,
  },
  half_machine: {
    meaning: "The source has separate prices for machines and cards, and another part of this one has none.",
    isGpuRow: false,
  },
  fractional_gpu: { meaning: "The row is a share of a card.", isGpuRow: false },
  not_rentable: {
    meaning: "The provider lists the type but doesn't rent it out, or states no place for it.",
    isGpuRow: false,
  },
  other_terms: {
    meaning: "The price is for other terms: a reservation, a commitment, a Windows license or another service.",
    isGpuRow: false,
  },
  bad_unit: { meaning: "The price is not per hour of the whole instance.", isGpuRow: true },
  unknown_currency: {
    meaning: "The price is not in USD, and conversion is off or has no rate.",
    isGpuRow: true,
  },
  duplicate: {
    meaning: "Another row of the source has the same id, and in a marketplace a lower price.",
    isGpuRow: false,
  },
  contradiction: {
    meaning: "Another row of the source has the same machine at a higher price, which is not a marketplace's choice.",
    isGpuRow: false,
  },
  unknown_provider: { meaning: "The provider of the offer is not defined before it.", isGpuRow: true },
  bad_provider_name: { meaning: "The provider's name is not lower-case and URL-safe.", isGpuRow: true },
  unknown_country: { meaning: "The country code is not an ISO 3166-1 alpha-2 code.", isGpuRow: true },
  invalid_offer: { meaning: "The offer is not valid for publishing.", isGpuRow: true },
} as const satisfies Record<string, RejectionKind>;

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
