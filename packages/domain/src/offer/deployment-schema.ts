import * as z from "zod";

/**
 * Parameters of creating a deployment: a provider, an optional image, and a disk size if the offer
 * requires one.
 */
export const deploymentSchema = z
  .strictObject({
    provider: z.string().min(1).describe("`name` of the offer's provider."),
    os_image_id: z.string().min(1).optional().describe("`id` of the image; default: the provider's default image."),
    disk_gb: z.int().min(0).optional().describe("Disk size in GB; omitted if the disk is fixed and included."),
  })
  .meta({ id: "Deployment", description: "Parameters of a deployment." });
export type Deployment = z.output<typeof deploymentSchema>;
