import { composeDeployment, type DeploymentChoice } from "../offer/deployment.js";
import { rentUrl } from "./rent-url.js";
import { launch } from "./launch.js";
import type { LaunchedListing } from "./launch-text.js";
import type { LaunchPlan } from "../offer/listing-schema.js";
import { listingTotal } from "../listing-query/listing-total.js";
import { defaultOsImage, imageFits } from "../image/os-image.js";
import { sampleText } from "../offer/sample.js";
import { pricedOffer } from "../offer/priced-offer.js";

/** What is chosen of a listing. */
export interface LaunchPlanChoice extends Pick<DeploymentChoice, "osImageId" | "diskGb"> {
  /** Hours to add the cost of. */
  hours?: number | undefined;
  /** Whether to rent it at its spot price. */
  isSpot?: boolean | undefined;
  /** Date or time of the price: ISO 8601. Texts of the sample say it. */
  pricesAsOf?: string | null | undefined;
}

/**
 * How to rent a choice: the parameters of its deployment, its cost, and the texts to paste, which name the provider's
 * default image unless another is chosen. With problems, there is no deployment and no cost. Texts need no disk: without
 * one they state none, and the tool's default applies.
 * @param images Images of the offer's provider.
 */
export function launchPlan(
  listing: LaunchedListing,
  images: DeploymentChoice["images"],
  { osImageId, diskGb, hours, isSpot = false, pricesAsOf }: LaunchPlanChoice = {},
): LaunchPlan {
  const { instanceType, spot, availability, sample = false } = listing;
  const offer = pricedOffer(listing, isSpot);
  const composed = composeDeployment({ offer, availability, sample, images, instanceType, osImageId, diskGb });
  const problems: LaunchPlan["problems"] = composed.ok ? [] : [...composed.problems];
  if (isSpot && spot === null) {
    problems.push({ field: "spot", reason: "This offer has no known spot price." });
  }
  const isValid = problems.length === 0;
  const bootable = images.filter((image) => imageFits(image.instanceTypes, instanceType ?? undefined));
  const image = osImageId === undefined ? defaultOsImage(bootable) : bootable.find(({ id }) => id === osImageId);
  const texts = problems.every(({ field }) => field === "disk_gb" && diskGb === undefined)
    ? launch(listing, { diskGb, image, isSpot })
    : [];
  return {
    sample,
    deployment: composed.ok && isValid ? composed.deployment : null,
    problems,
    total: isValid ? listingTotal(offer, { disk: diskGb, hours }) : null,
    launch: sample ? texts.map((text) => ({ ...text, text: `# ${sampleText(pricesAsOf)}\n${text.text}` })) : texts,
    rentUrl: rentUrl(listing.offer, () => listing),
  };
}
