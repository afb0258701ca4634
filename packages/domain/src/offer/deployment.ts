import type { Deployment } from "./deployment-schema.js";
import { availabilityOf } from "./availability.js";
import type { ListingFacts } from "./listing-schema.js";
import type { Offer } from "./offer-schema.js";
import type { OsImage } from "../image/os-image-schema.js";
import type { RestrictedImage } from "../image/image-filter.js";
import { imageFits } from "../image/os-image.js";
import { hourlyCost } from "./hourly-cost.js";
import { checkDisk, isAtLeast, isDiskFixed, storageOf, type DiskTerms } from "./storage.js";

/** A choice in progress: an offer, the provider's images, the image's id and the disk in GB. */
export interface DeploymentChoice {
  /** The chosen offer. */
  offer: Offer & DiskTerms;
  /** What its source states about its stock. */
  availability?: ListingFacts["availability"] | undefined;
  /** Whether it is of the sample. */
  sample?: boolean | undefined;
  /** Images of the offer's provider, from the images endpoint. */
  images: readonly RestrictedImage[];
  /** The provider's instance type, if it is known: images may be restricted to some. */
  instanceType?: string | null | undefined;
  /** Id of one of `images`; default: the provider's default image. */
  osImageId?: string | undefined;
  /** Disk in GB; omit it if the disk is fixed. */
  diskGb?: number | undefined;
}

/** A problem of a choice: the invalid part, and a sentence that says what is invalid and what would be valid. */
export interface DeploymentProblem {
  /** Parameter of the deployment that is invalid. */
  field: "offer" | "os_image_id" | "disk_gb";
  /** What is invalid, and what would be valid. */
  reason: string;
}

/** A deployment with its hourly cost in USD (4 decimals, rounded up), or all problems of the choice. */
export type DeploymentResult =
  | {
      ok: true;
      /** The parameters of the deployment. */
      deployment: Deployment;
      /** USD per hour with the disk, a decimal with 4 places. */
      hourly: string;
      /** Whether the cost is a lower bound. */
      isAtLeast: boolean;
    }
  | {
      ok: false;
      /** Every problem of the choice. */
      problems: DeploymentProblem[];
    };

/**
 * Composes and validates the parameters of a deployment. They include `disk_gb` only if the disk isn't the included one, and
 * `os_image_id` only if an image is chosen. `isAtLeast` is true if the offer's cost data is incomplete, so that `hourly`
 * is a lower bound (docs/interface.md, Offers and Images).
 */
export function composeDeployment(choice: DeploymentChoice): DeploymentResult {
  const { offer, images, instanceType, osImageId, diskGb } = choice;
  const problems: DeploymentProblem[] = [];
  if (availabilityOf(choice) === "sold_out") {
    problems.push({ field: "offer", reason: "The offer is sold out." });
  }
  const image = images.find(({ id }) => id === osImageId);
  const isBootable = (one: (typeof images)[number]) => imageFits(one.instanceTypes, instanceType ?? undefined);
  if (osImageId !== undefined && image === undefined) {
    problems.push({
      field: "os_image_id",
      reason: `${offer.provider.name} has no image ${JSON.stringify(osImageId)}; it has ${listOf(images)}.`,
    });
  } else if (image !== undefined && !isBootable(image)) {
    const others = listOf(images.filter(isBootable));
    problems.push({
      field: "os_image_id",
      reason: `The image ${JSON.stringify(osImageId)} is not for ${instanceType}; it can boot ${others}.`,
    });
  }
  const disk = checkDisk(offer, diskGb);
  if (!disk.ok) {
    problems.push({ field: "disk_gb", reason: disk.reason });
  }
  if (!disk.ok || problems.length > 0) {
    return { ok: false, problems };
  }
  const { includedGb, minGb } = storageOf(offer);
  const isDefault = diskGb === 0 ? minGb === null : diskGb === includedGb;
  const deployment: Deployment = {
    provider: offer.provider.name,
    ...(osImageId !== undefined && { os_image_id: osImageId }),
    ...(diskGb !== undefined && !isDiskFixed(offer) && !isDefault && { disk_gb: diskGb }),
  };
  return { ok: true, deployment, hourly: hourlyCost(offer, disk.diskGb), isAtLeast: isAtLeast(offer, disk.diskGb) };
}

function listOf(images: readonly OsImage[]): string {
  return images.length === 0 ? "none" : images.map((image) => image.id).join(", ");
}
