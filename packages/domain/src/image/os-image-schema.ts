import * as z from "zod";
import { plainTextSchema } from "../text/plain-text-schema.js";
import { queryNameSchema } from "../text/query-text-schema.js";

/** An OS image (docs/interface.md, Images). */
export const osImageSchema = z
  .object({
    id: z.string().describe("Pass as os_image_id when creating a deployment."),
    displayName: z.string().describe("Human-readable name."),
    slug: z.string().describe("Image slug."),
    hasCuda: z
      .boolean()
      .describe(
        "Whether the CUDA toolkit is pre-installed. Without it, the image still has NVIDIA drivers and Docker: install the toolkit, or run a CUDA container.",
      ),
    cudaVersion: z.string().nullable().describe("Version of the CUDA toolkit if installed, otherwise null."),
    hasDocker: z.boolean().describe("Whether Docker is pre-installed."),
    isDefault: z.boolean().describe("Whether this is the default image, used if os_image_id is omitted."),
  })
  .meta({ id: "OsImage", description: "An operating system image for deployments." });
export type OsImage = z.output<typeof osImageSchema>;

/** Response of `GET /api/v1/providers/{provider}/images`. */
export const osImageListSchema = z
  .object({ data: z.array(osImageSchema).describe("The default image first, then by displayName.") })
  .meta({ id: "OsImageList", description: "A provider's images: the default image first, then by displayName." });
export type OsImageList = z.output<typeof osImageListSchema>;

/** Query parameters of `GET /api/v1/providers/{provider}/images`. Strict, like those of the offer list. */
export const listOsImagesQuerySchema = z.strictObject({
  instance_type: queryNameSchema(128).optional().meta({
    description: "Only images available for this instance type, including images without restrictions.",
  }),
});
/** Query parameters with typed values. */
export type ListOsImagesQuery = z.output<typeof listOsImagesQuerySchema>;

const slug = z
  .string()
  .max(128)
  .regex(/^[A-Za-z0-9][A-Za-z0-9._:-]*$/, "must be letters, digits, points, colons, hyphens and underscores");

// linode/ubuntu24.04, resolve:ssm:/aws/service/...: what a provider takes may be a path.
const id = z
  .string()
  .max(128)
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9._:-]*(?:\/[A-Za-z0-9._:-]+)*$/,
    "must be letters, digits, points, colons, hyphens and underscores, with slashes between them",
  );

/** An image for publishing: {@link osImageSchema}, with a cudaVersion if and only if it has CUDA. */
export const publishedOsImageSchema = z
  .strictObject({
    ...osImageSchema.shape,
    id,
    slug,
    displayName: plainTextSchema.min(1),
    cudaVersion: plainTextSchema.min(1).nullable(),
  })
  .refine((image) => image.hasCuda === (image.cudaVersion !== null), {
    path: ["cudaVersion"],
    error: "must be a version when hasCuda is true and null otherwise",
  });
