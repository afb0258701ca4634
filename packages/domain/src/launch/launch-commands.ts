import { shellWord } from "../text/shell-word.js";
import { bearer, blank, command, post, regionWord, type LaunchCommand } from "./launch-command.js";

// How each provider's machines are launched with its own tools: a table, with the document that each row is from. A row gets
// what is known of the choice, and writes a placeholder in angle brackets for what isn't.

/** How Google Cloud names the newest image of a family: `projects/ubuntu-os-cloud/global/images/family/ubuntu-2404-lts-amd64`. */
const IMAGE_FAMILY = /^projects\/([^/]+)\/global\/images\/family\/([^/]+)$/;

/** Every command; a provider may have several. */
export const LAUNCH_COMMANDS: readonly LaunchCommand[] = [
  {
    provider: "aws",
    tool: "aws",
    title: "AWS CLI",
    hasSpot: true,
    source: {
      title: "AWS CLI, ec2 run-instances",
      url: "https://docs.aws.amazon.com/cli/latest/reference/ec2/run-instances.html",
    },
    text: ({ type, region, imageId, diskGb, isSpot }) =>
      command(
        "aws ec2 run-instances",
        `--region ${regionWord(region)}`,
        `--instance-type ${shellWord(type)}`,
        `--image-id ${imageId === undefined ? blank("ami-id") : shellWord(imageId)}`,
        `--key-name ${blank("key-pair")}`,
        diskGb === undefined
          ? undefined
          : `--block-device-mappings ${shellWord(`DeviceName=/dev/sda1,Ebs={VolumeSize=${diskGb}}`)}`,
        isSpot ? "--instance-market-options MarketType=spot" : undefined,
      ),
  },
  {
    provider: "azure",
    tool: "az",
    title: "Azure CLI",
    hasSpot: true,
    source: { title: "Azure CLI, az vm create", url: "https://learn.microsoft.com/cli/azure/vm#az-vm-create" },
    text: ({ type, region, imageId, diskGb, isSpot }) =>
      command(
        "az vm create",
        `--resource-group ${blank("resource-group")}`,
        `--name ${blank("name")}`,
        `--location ${regionWord(region)}`,
        `--size ${shellWord(type)}`,
        `--image ${imageId === undefined ? blank("image") : shellWord(imageId)}`,
        "--generate-ssh-keys",
        diskGb === undefined ? undefined : `--os-disk-size-gb ${diskGb}`,
        isSpot ? "--priority Spot --max-price -1" : undefined,
      ),
  },
  {
    provider: "gcp",
    tool: "gcloud",
    title: "Google Cloud CLI",
    hasSpot: true,
    source: {
      title: "gcloud compute instances create",
      url: "https://cloud.google.com/sdk/gcloud/reference/compute/instances/create",
    },
    text: ({ type, region, imageId, diskGb, isSpot }) => {
      const [, project, family] = IMAGE_FAMILY.exec(imageId ?? "") ?? [];
      return command(
        `gcloud compute instances create ${blank("name")}`,
        `--zone ${blank(region === undefined ? "zone" : `zone-of-${region}`)}`,
        `--machine-type ${shellWord(type)}`,
        `--image-family ${family === undefined ? blank("image-family") : shellWord(family)}`,
        `--image-project ${project === undefined ? blank("image-project") : shellWord(project)}`,
        "--maintenance-policy TERMINATE",
        diskGb === undefined ? undefined : `--boot-disk-size ${diskGb}GB`,
        isSpot ? "--provisioning-model SPOT" : undefined,
      );
    },
  },
  {
    provider: "vast",
    tool: "vastai",
    title: "Vast.ai CLI",
    takes: "providerOfferId",
    hasSpot: true,
    source: { title: "vast-cli, create instance", url: "https://docs.vast.ai/cli/commands" },
    text: ({ type, imageId, diskGb, bid }) =>
      command(
        `vastai create instance ${shellWord(type)}`,
        `--image ${imageId === undefined ? blank("docker-image") : shellWord(imageId)}`,
        `--disk ${diskGb ?? blank("disk-gb")}`,
        "--ssh --direct",
        bid === undefined ? undefined : `--bid_price ${bid}`,
      ),
  },
  {
    provider: "runpod",
    title: "RunPod API",
    source: { title: "RunPod REST API v2, pods", url: "https://docs.runpod.io/api-reference/pods/POST/pods" },
    text: ({ type, region, gpuCount, imageId, diskGb, seller }) =>
      post("https://api.runpod.io/v2/pods", bearer("runpod-api-key"), {
        name: blank("name"),
        image: imageId ?? blank("docker-image"),
        disk: diskGb,
        gpu: { id: type, count: gpuCount },
        cloud: seller === "partner" ? "SECURE" : seller === "host" ? "COMMUNITY" : blank("SECURE or COMMUNITY"),
        dataCenterIds: region === undefined ? undefined : [region],
      }),
  },
  {
    provider: "verda",
    title: "Verda API",
    hasSpot: true,
    source: { title: "Verda API, deploy instance", url: "https://api.verda.com/v1/docs" },
    text: ({ type, region, imageId, diskGb, isSpot }) =>
      post("https://api.verda.com/v1/instances", bearer("verda-access-token"), {
        instance_type: type,
        image: imageId ?? blank("image"),
        ssh_key_ids: [blank("ssh-key-id")],
        hostname: blank("hostname"),
        description: blank("description"),
        location_code: region ?? blank("location"),
        is_spot: isSpot,
        os_volume: { name: blank("volume-name"), size: diskGb ?? blank("disk-gb") },
      }),
  },
  {
    provider: "lambda",
    title: "Lambda API",
    source: { title: "Lambda Cloud API, launch instances", url: "https://docs.lambda.ai/api/cloud" },
    text: ({ type, region, imageId }) =>
      post("https://cloud.lambda.ai/api/v1/instance-operations/launch", bearer("lambda-api-key"), {
        region_name: region ?? blank("region"),
        instance_type_name: type,
        ssh_key_names: [blank("ssh-key-name")],
        quantity: 1,
        image: imageId === undefined ? undefined : { family: imageId },
      }),
  },
  {
    provider: "vultr",
    title: "Vultr API",
    prefix: "vbm-",
    source: { title: "Vultr API, create bare metal", url: "https://www.vultr.com/api/#operation/create-baremetal" },
    text: ({ type, region, imageId }) =>
      post("https://api.vultr.com/v2/bare-metals", bearer("vultr-api-key"), {
        region: region ?? blank("region"),
        plan: type,
        os_id: imageId === undefined ? blank("os-id") : Number(imageId),
        label: blank("label"),
      }),
  },
  {
    provider: "vultr",
    tool: "vultr-cli",
    title: "Vultr CLI",
    prefix: "vcg-",
    source: { title: "vultr-cli, instance create", url: "https://github.com/vultr/vultr-cli" },
    text: ({ type, region, imageId }) =>
      command(
        "vultr-cli instance create",
        `--region ${regionWord(region)}`,
        `--plan ${shellWord(type)}`,
        `--os ${imageId === undefined ? blank("os-id") : shellWord(imageId)}`,
        `--label ${blank("label")}`,
      ),
  },
  {
    provider: "linode",
    tool: "linode-cli",
    title: "Linode CLI",
    source: {
      title: "linode-cli, linodes create",
      url: "https://techdocs.akamai.com/cloud-computing/docs/cli-commands-for-compute-instances",
    },
    text: ({ type, region, imageId }) =>
      command(
        "linode-cli linodes create",
        `--type ${shellWord(type)}`,
        `--region ${regionWord(region)}`,
        `--image ${imageId === undefined ? blank("image") : shellWord(imageId)}`,
        `--root_pass ${blank("root-password")}`,
        `--label ${blank("label")}`,
      ),
  },
  {
    provider: "do",
    tool: "doctl",
    title: "DigitalOcean CLI",
    source: {
      title: "doctl compute droplet create",
      url: "https://docs.digitalocean.com/reference/doctl/reference/compute/droplet/create/",
    },
    text: ({ type, region, imageId }) =>
      command(
        `doctl compute droplet create ${blank("name")}`,
        `--region ${regionWord(region)}`,
        `--size ${shellWord(type)}`,
        `--image ${imageId === undefined ? blank("image") : shellWord(imageId)}`,
        `--ssh-keys ${blank("ssh-key-id")}`,
      ),
  },
  {
    provider: "scaleway",
    tool: "scw",
    title: "Scaleway CLI",
    source: { title: "scw instance server create", url: "https://www.scaleway.com/en/docs/scaleway-cli/" },
    text: ({ type, region, imageId }) =>
      command(
        "scw instance server create",
        `type=${shellWord(type)}`,
        `zone=${regionWord(region)}`,
        `image=${imageId === undefined ? blank("image") : shellWord(imageId)}`,
      ),
  },
  {
    provider: "oci",
    tool: "oci",
    title: "Oracle Cloud CLI",
    hasSpot: true,
    source: {
      title: "oci compute instance launch",
      url: "https://docs.oracle.com/en-us/iaas/tools/oci-cli/latest/oci_cli_docs/cmdref/compute/instance/launch.html",
    },
    text: ({ type, region, imageId, diskGb, isSpot }) =>
      command(
        "oci compute instance launch",
        `--region ${regionWord(region)}`,
        `--shape ${shellWord(type)}`,
        `--availability-domain ${blank("availability-domain")}`,
        `--compartment-id ${blank("compartment-id")}`,
        `--subnet-id ${blank("subnet-id")}`,
        `--image-id ${imageId === undefined ? blank("image-id") : shellWord(imageId)}`,
        diskGb === undefined ? undefined : `--boot-volume-size-in-gbs ${diskGb}`,
        isSpot ? `--preemptible-instance-config '{"preemptionAction": {"type": "TERMINATE"}}'` : undefined,
      ),
  },
  {
    provider: "hyperstack",
    title: "Hyperstack API",
    source: {
      title: "Hyperstack API, create virtual machines",
      url: "https://docs.hyperstack.cloud/docs/api-reference/",
    },
    text: ({ type, region, imageName }) =>
      post("https://infrahub-api.nexgencloud.com/v1/core/virtual-machines", `api_key: ${blank("hyperstack-api-key")}`, {
        name: blank("name"),
        environment_name: blank(region === undefined ? "environment" : `environment-in-${region}`),
        image_name: imageName ?? blank("image-name"),
        flavor_name: type,
        key_name: blank("key-name"),
        count: 1,
        assign_floating_ip: true,
      }),
  },
  {
    provider: "shadeform",
    title: "Shadeform API",
    source: {
      title: "Shadeform API, create instance",
      url: "https://docs.shadeform.ai/api-reference/instances/instances-create",
    },
    text: ({ type, region, imageId }) =>
      post("https://api.shadeform.ai/v1/instances/create", `X-API-KEY: ${blank("shadeform-api-key")}`, {
        cloud: blank("cloud"),
        region: region ?? blank("region"),
        shade_instance_type: type,
        shade_cloud: true,
        name: blank("name"),
        os: imageId,
      }),
  },
  {
    provider: "latitude",
    title: "Latitude.sh API",
    source: { title: "Latitude.sh API, deploy server", url: "https://docs.latitude.sh/reference/create-server" },
    text: ({ type, region, imageId }) =>
      post("https://api.latitude.sh/servers", bearer("latitude-api-key"), {
        data: {
          type: "servers",
          attributes: {
            project: blank("project"),
            plan: type,
            site: region ?? blank("site"),
            operating_system: imageId ?? blank("operating-system"),
            hostname: blank("hostname"),
            ssh_keys: [blank("ssh-key-id")],
          },
        },
      }),
  },
  {
    provider: "lium",
    title: "Lium API",
    takes: "providerOfferId",
    source: { title: "Lium API, rent an executor", url: "https://docs.lium.io" },
    text: ({ type }) =>
      post(`https://lium.io/api/executors/${encodeURIComponent(type)}/rent`, `X-API-Key: ${blank("lium-api-key")}`, {
        pod_name: blank("name"),
        template_id: blank("template-id"),
        user_public_key: [blank("ssh-public-key")],
      }),
  },
  {
    provider: "cloudrift",
    title: "CloudRift API",
    source: { title: "CloudRift API, rent an instance", url: "https://docs.cloudrift.ai" },
    text: ({ type, region }) =>
      post("https://api.cloudrift.ai/api/v1/instances/rent", `X-API-Key: ${blank("cloudrift-api-key")}`, {
        version: "2026-09-08",
        data: {
          selector: {
            ByInstanceTypeAndLocation: { datacenters: [region ?? blank("data-center")], instance_type: type },
          },
          config: {
            VirtualMachine: { image_url: blank("image-url"), ssh_key: { PublicKeys: [blank("ssh-public-key")] } },
          },
          with_public_ip: true,
        },
      }),
  },
];
