// Generated from the schemas: `npx -y pnpm@12 exec vitest run --project domain schema-types -u`. The comments are the
// schemas' descriptions.

/** Parameters of a deployment. */
export interface Deployment {
  /** `name` of the offer's provider. */
  provider: string;
  /** `id` of the image; default: the provider's default image. */
  os_image_id?: string | undefined;
  /** Disk size in GB; omitted if the disk is fixed and included. */
  disk_gb?: number | undefined;
}
