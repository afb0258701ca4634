import * as z from "zod";

/**
 * What creating a deployment takes (interface.md 1): a provider, an image where one was chosen, a disk
 * size where the offer asks for one.
 */
export const deploymentSchema = z
  .strictObject({
    provider: z.string().min(1).describe("`name` of the offer's provider."),
    os_image_id: z.string().min(1).optional().describe("`id` of the image; left out: the provider's default image."),
    disk_gb: z.int().min(0).optional().describe("Disk in GB; left out where the disk is fixed and included."),
  })
  .meta({ id: "Deployment", description: "Selection that a deployment is created with." });

/** See {@link deploymentSchema}. */
export type Deployment = z.infer<typeof deploymentSchema>;
