/** Maximum age of a cached image list, in seconds. */
export const IMAGE_LIST_LIFETIME_SECONDS = 3600;
