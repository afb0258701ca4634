// Facts about a GPU model, and how tables of models are written, one file per vendor.

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

/** What the models of one generation share. */
type Generation = Pick<GpuModel, "vendor" | "architecture" | "formFactor"> & { source?: FactSource };
/** A model's memory in GB, with the facts that differ from its generation. */
type Facts = Pick<GpuModel, "vramGb"> &
  Partial<Pick<GpuModel, "family" | "formFactor" | "nvlink" | "aliases" | "source">>;

const formsInNames = ["SXM", "PCIe", "NVL"] as const;

/**
 * Models of one generation by their names; a number is the memory in GB of a model without further facts. The slug
 * and a form such as "SXM" follow from the name. Without a source, each card has its own datasheet under its name.
 */
export function models(generation: Generation, cards: Readonly<Record<string, number | Facts>>): readonly GpuModel[] {
  return Object.entries(cards).map(([name, card]) =>
    modelOf(generation, name, typeof card === "number" ? { vramGb: card } : card),
  );
}

function modelOf(generation: Generation, name: string, facts: Facts): GpuModel {
  const slug = name.toLowerCase().replaceAll(" ", "-");
  const spelledForm = formsInNames.find((form) => name.split(" ").includes(form));
  const { formFactor = spelledForm ?? generation.formFactor } = facts;
  return {
    slug,
    family: familyOf(slug),
    name,
    // SXM modules are on boards that always connect them by NVLink.
    nvlink: formFactor === "SXM",
    aliases: [],
    source: { title: `${generation.vendor} ${name} datasheet`, url: null },
    ...generation,
    ...facts,
    formFactor,
  };
}

/** A slug without form factor and memory size: `a100` for `a100-sxm-80gb`. */
function familyOf(slug: string): string {
  return slug.replaceAll(/-(?:sxm|pcie|nvl|\d+gb)(?=-|$)/g, "");
}
