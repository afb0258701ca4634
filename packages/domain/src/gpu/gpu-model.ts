// Facts about a GPU model. The models are in facts/gpus.csv.

/** The public document that states a fact. */
export interface FactSource {
  /** Title of the document, as its publisher writes it. */
  title: string;
  /** URL of the document; null if it has no permanent one. */
  url: string | null;
}

/** One GPU model as its vendor sells it. */
export interface GpuModel {
  /** Stable key, also the value of the `gpu` filter: lower-case words joined by hyphens, at most 64 characters. */
  slug: string;
  /**
   * Common part of all forms and memory sizes of one card, written like a slug: `h100` is the family of `h100`,
   * `h100-sxm`, `h100-pcie` and `h100-nvl`. It need not be a slug itself: `a100` is not.
   */
  family: string;
  /** The common name, without the vendor: "H100 SXM", "RTX 6000 Ada". */
  name: string;
  /** Who makes it. */
  vendor: "NVIDIA" | "AMD" | "Intel";
  /**
   * Memory of one GPU in GB by its maker's datasheet, not as reported by a driver (B300: 288, drivers show about 268).
   * Boards with several GPUs count each GPU, as clouds do.
   */
  vramGb: number;
  /** Architecture, as named by the vendor. */
  architecture: string;
  /** Null if the name leaves the form open ("H100" is an SXM module, a PCIe card or an NVL card). */
  formFactor: "SXM" | "PCIe" | "NVL" | "OAM" | "SH5" | "Superchip" | null;
  /** True only if every card with that name links to other GPUs by NVLink; false for optional bridges. */
  nvlink: boolean;
  /** Additional spellings that gpu.ts does not derive from name and slug. */
  aliases: readonly string[];
  /** Document that states its facts. */
  source: FactSource;
}
