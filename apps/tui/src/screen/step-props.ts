import type { Balance } from "@gpu-offers/domain";
import type { Choice } from "../picker/choice.js";
import type { ProviderImages } from "../picker/state.js";

/** What the steps show. */
export interface StepProps {
  choice: Choice;
  /** The images of the offer's provider. */
  known: ProviderImages;
  /** The requested disk. */
  diskGb: number | undefined;
  funds: Balance | undefined;
  nowMs: number;
  columns: number;
  height: number;
}
