import type { Deployment } from "./deployment-schema.js";
import type { Offer } from "./offer-schema.js";
import type { OsImage } from "./os-image-schema.js";
import { checkDisk, hourlyCost, isDiskFixed, isDiskUnknown } from "./storage.js";

/** A choice that is being made: an offer, the provider's images, the image's id and the disk in GB. */
export interface DeploymentChoice {
  offer: Offer;
  /** Images of the offer's provider, as the images endpoint lists them. */
  images: readonly OsImage[];
  /** Id of one of `images`; left out: the provider's default. */
  osImageId?: string | undefined;
  /** Disk in GB; left out where the disk is fixed. */
  diskGb?: number | undefined;
}

/** A problem of a choice: which part of it, and a sentence that says what is wrong and what would be right. */
export interface DeploymentProblem {
  field: "offer" | "os_image_id" | "disk_gb";
  reason: string;
}

/** A composed deployment with its hourly cost in USD (4 places, rounded up), or every problem of the choice. */
export type DeploymentResult =
  | { ok: true; deployment: Deployment; hourly: string; isAtLeast: boolean }
  | { ok: false; problems: DeploymentProblem[] };

/**
 * Composes and validates the selection of a deployment. `disk_gb` is in it only where the disk is not
 * fixed, `os_image_id` only where an image was chosen. `isAtLeast` is true when the offer's cost data
 * is incomplete, so that `hourly` is a lower bound. Rules: interface.md 1, 2.1 and 2.4.
 */
export function composeDeployment(choice: DeploymentChoice): DeploymentResult {
  const { offer, images, osImageId, diskGb } = choice;
  const problems: DeploymentProblem[] = [];
  if (!offer.isAvailable) {
    problems.push({ field: "offer", reason: "The offer is not available now." });
  }
  if (osImageId !== undefined && !images.some((image) => image.id === osImageId)) {
    problems.push({
      field: "os_image_id",
      reason: `${offer.provider.name} has no image ${JSON.stringify(osImageId)}; it has ${listOf(images)}.`,
    });
  }
  const disk = checkDisk(offer, diskGb);
  if (!disk.ok) {
    const reason = isDiskUnknown(offer)
      ? "disk_gb must be left out: the source of this offer says nothing about disks."
      : disk.reason;
    problems.push({ field: "disk_gb", reason });
  }
  if (!disk.ok || problems.length > 0) {
    return { ok: false, problems };
  }
  const deployment: Deployment = { provider: offer.provider.name };
  if (osImageId !== undefined) {
    deployment.os_image_id = osImageId;
  }
  if (!isDiskFixed(offer)) {
    deployment.disk_gb = disk.diskGb;
  }
  return { ok: true, deployment, hourly: hourlyCost(offer, disk.diskGb), isAtLeast: !offer.costDataComplete };
}

function listOf(images: readonly OsImage[]): string {
  return images.length === 0 ? "none" : images.map((image) => image.id).join(", ");
}
