// Generated from the schemas: `npx -y pnpm@12 exec vitest run --project domain schema-types -u`. The comments are the
// schemas' descriptions.

/** Query parameters with typed values. */
export interface ListOsImagesQuery {
  /** Only images available for this instance type, including images without restrictions. */
  instance_type?: string | undefined;
}

/** An operating system image for deployments. */
export interface OsImage {
  /** Pass as os_image_id when creating a deployment. */
  id: string;
  /** Human-readable name. */
  displayName: string;
  /** Image slug. */
  slug: string;
  /**
   * Whether the CUDA toolkit is pre-installed. Without it, the image still has NVIDIA drivers and Docker: install the
   * toolkit, or run a CUDA container.
   */
  hasCuda: boolean;
  /** Version of the CUDA toolkit if installed, otherwise null. */
  cudaVersion: string | null;
  /** Whether Docker is pre-installed. */
  hasDocker: boolean;
  /** Whether this is the default image, used if os_image_id is omitted. */
  isDefault: boolean;
}

/** A provider's images: the default image first, then by displayName. */
export interface OsImageList {
  /** The default image first, then by displayName. */
  data: OsImage[];
}
