// What is known of a GPU model, and how a table of them is written. The tables are one vendor a file.

/** One GPU model as its vendor sells it. */
export interface GpuModel {
  /** Stable key, also the value of the `gpu` filter: lower-case words joined by hyphens, at most 64 characters. */
  readonly slug: string;
  /** What people write, without the vendor: "H100 SXM", "RTX 6000 Ada". */
  readonly name: string;
  readonly vendor: "NVIDIA" | "AMD" | "Intel";
  /** Memory of one GPU in GB as marketed. Boards with several GPUs count each GPU, as clouds do. */
  readonly vramGb: number;
  readonly architecture: string;
  /** Null where the name does not tell the form ("H100" is an SXM module, a PCIe card or an NVL card). */
  readonly formFactor: "SXM" | "PCIe" | "NVL" | "OAM" | "SH5" | "Superchip" | null;
  /** True only where every card of that name links to other GPUs by NVLink; false for optional bridges. */
  readonly nvlink: boolean;
  /** Further spellings which gpu.ts does not derive from name and slug. */
  readonly aliases: readonly string[];
  /** The public document which states these facts. */
  readonly source: string;
}

type Family = Pick<GpuModel, "vendor" | "architecture" | "formFactor"> & { readonly source?: string };
type Row = Pick<GpuModel, "slug" | "name" | "vramGb"> & Partial<GpuModel>;

/** Models of one architecture. Without a source, each card has a datasheet of its own under its name. */
export function models(family: Family, rows: readonly Row[]): readonly GpuModel[] {
  return rows.map((row) => ({
    aliases: [],
    source: `${family.vendor} ${row.name} datasheet`,
    // SXM modules sit on boards that always wire them by NVLink.
    nvlink: (row.formFactor ?? family.formFactor) === "SXM",
    ...family,
    ...row,
  }));
}
