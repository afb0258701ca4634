interface RejectionKind {
  /** When a row is rejected with this code, as documentation shows it. */
  readonly meaning: string;
  /** Whether the row counts against a limit of rejected GPU rows. False where the source is right and we want no offer. */
  readonly isGpuRow: boolean;
}

/** Every reason for which a row becomes no offer. The table is closed; programs may count by its codes. */
export const REJECTIONS = {
  bad_row: {
    meaning:
      "The row has more or fewer fields than the header, an overlong field, or is no JSON object of the expected form.",
    isGpuRow: true,
  },
  missing_value: { meaning: "A field that an offer cannot do without is empty.", isGpuRow: true },
  bad_number: {
    meaning: "A field that should hold a plain decimal number from 0 holds something else.",
    isGpuRow: true,
  },
  no_price: { meaning: "The row has no price at all.", isGpuRow: true },
  spot_only: { meaning: "The row has a spot price only, which promises nothing.", isGpuRow: false },
  bad_price: { meaning: "The price is zero, negative, too large, or no plain decimal number.", isGpuRow: true },
  not_a_gpu: { meaning: "The accelerator is known, and it is no GPU.", isGpuRow: false },
  unknown_gpu: { meaning: "The table of GPU models has no GPU of that name.", isGpuRow: true },
  ambiguous_gpu: { meaning: "Several GPU models fit what the row tells.", isGpuRow: true },
  vram_mismatch: { meaning: "No GPU of that name has the memory that the row states.", isGpuRow: true },
  conflicting_gpu: { meaning: "The row names two different GPU models.", isGpuRow: true },
  bad_gpu_info: { meaning: "The details of the GPU cannot be read, or describe several GPUs.", isGpuRow: true },
  bad_count: {
    meaning: "The GPU count is no whole number from 1, or the row states two different counts.",
    isGpuRow: true,
  },
  sold_apart: {
    meaning: "The card is sold beside a machine of any size, so the row has no price of a whole instance.",
    isGpuRow: false,
  },
  half_machine: {
    meaning: "The file prices machines and cards apart, and the other half of this one is missing.",
    isGpuRow: false,
  },
  fractional_gpu: { meaning: "The row rents out a share of a card.", isGpuRow: true },
  not_rentable: {
    meaning: "The provider lists the type without renting it out, or names no place where it could.",
    isGpuRow: false,
  },
  other_terms: {
    meaning: "The price is for other terms: a reservation, a commitment, a Windows license, another service.",
    isGpuRow: false,
  },
  bad_unit: { meaning: "The price is per something other than an hour of the whole instance.", isGpuRow: true },
  unknown_currency: {
    meaning: "The price is not in US dollars, and conversion is off or has no rate.",
    isGpuRow: true,
  },
  duplicate: { meaning: "Another row of the source has the same identity and a lower price.", isGpuRow: false },
  unknown_provider: { meaning: "The source has not named the provider of the offer before.", isGpuRow: true },
  bad_provider_name: { meaning: "The provider's name is not lower-case and URL-safe.", isGpuRow: true },
  unknown_country: { meaning: "The country code is no ISO 3166-1 alpha-2 code.", isGpuRow: true },
  invalid_offer: { meaning: "The offer breaks a rule that every published offer keeps.", isGpuRow: true },
} as const satisfies Record<string, RejectionKind>;

/** One of the codes of {@link REJECTIONS}. */
export type RejectionCode = keyof typeof REJECTIONS;

/** Why a row becomes no offer: a code for programs and one sentence, with the offending value, for people. */
export class Rejection {
  /** @param gpuName The name of the GPU where no model is known for it, so that an operator can teach it as an alias. */
  constructor(
    readonly code: RejectionCode,
    readonly reason: string,
    readonly gpuName?: string,
  ) {}
}
