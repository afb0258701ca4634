import type { Balance } from "@gpu-offers/domain";
import type { Choice } from "../picker/choice.js";
import type { LoadedImages } from "../picker/image-list.js";

/** What the steps show. */
export interface StepProps {
  choice: Choice;
  /** The images that the offer can boot. */
  known: LoadedImages;
  /** The requested disk. */
  diskGb: number | undefined;
  funds: Balance | undefined;
  nowMs: number;
  columns: number;
  height: number;
}
