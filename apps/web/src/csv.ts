import { availabilityOf, listingTotal } from "@gpu-offers/domain";
import { diskOf, type Result } from "@gpu-offers/list";
import { listingAt, type Catalog } from "./catalog.js";

/** A cell of CSV. A text that a spreadsheet would take for a formula isn't one. */
function cellOf(value: string | number): string {
  const text = typeof value === "string" && /^[=+@-]/.test(value) ? `'${value}` : String(value);
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

const HEAD = ["gpus", "gpu", "vram_gb", "provider", "region", "country", "usd_per_gpu_hour", "usd_per_hour", "disk_gb"];

/** Saves all offers of a result as a file. */
export function saveCsv(catalog: Catalog, { positions, isSpot, shownDiskGb, hours }: Result): void {
  const head = [...HEAD, "usd_per_hour_with_disk", ...(hours === undefined ? [] : ["usd_for_hours"]), "availability"];
  const rows = Array.from(positions, (at) => {
    const listing = listingAt(catalog, at, isSpot);
    const { gpu, gpuCount, provider, region, regionInfo, pricePerGpu, priceHourly } = listing.offer;
    const disk = diskOf(listing.offer, shownDiskGb);
    const { hourly, forHours } = listingTotal(listing.offer, { disk, hours });
    const prices = [pricePerGpu, priceHourly, disk ?? "smallest", hourly, forHours].filter((one) => one !== undefined);
    const names = [gpuCount, gpu.name, gpu.vramGB, provider.name, region, regionInfo.countryCode];
    return [...names, ...prices, availabilityOf(listing)];
  });
  const text = [head, ...rows].map((row) => `${row.map(cellOf).join(",")}\n`).join("");
  const link = document.createElement("a");
  link.download = "offers.csv";
  link.href = URL.createObjectURL(new Blob([text], { type: "text/csv" }));
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1_000);
}
