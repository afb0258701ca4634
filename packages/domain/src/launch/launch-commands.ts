import { shellWord } from "../text/shell-word.js";
import { wordOr, type LaunchCommand } from "./launch-command.js";
import type { LaunchFacts } from "./launch-facts.js";
import { blank, yamlScalar } from "./launch-text.js";

// How machines are launched with their provider's command-line tool, by the names of facts/launch-commands.csv. A row gets what
// is known of the choice, and writes a placeholder in angle brackets for what isn't.

/** How Google Cloud names the newest image of a family: `projects/ubuntu-os-cloud/global/images/family/ubuntu-2404-lts-amd64`. */
const IMAGE_FAMILY = /^projects\/([^/]+)\/global\/images\/family\/([^/]+)$/;

/** Thunder's types: GPU, count, mode. */
const THUNDER_TYPE = /^([a-z0-9]+)_x(\d+)(?:_(production|prototyping))?$/;

/** Nebius' types: platform and preset. */
const NEBIUS_TYPE = /^([a-z0-9-]+)[ _](.+)$/;

const regionWord = ({ region }: LaunchFacts): string => wordOr(region, "region");

/** The commands of command-line tools. */
export const TOOL_COMMANDS = {
  aws: {
    before: (facts) => [
      "Its security group must let SSH in:",
      `aws ec2 authorize-security-group-ingress --region ${regionWord(facts)} --group-id ${blank("security-group-id")} --protocol tcp --port 22 --cidr ${blank("ip")}/32`,
      ...(facts.diskGb === undefined || facts.rootDevice !== undefined
        ? []
        : [
            "What the image calls its root device:",
            `aws ec2 describe-images --region ${regionWord(facts)} --image-ids ${wordOr(facts.imageId, "ami-id")} --query 'Images[0].RootDeviceName' --output text`,
          ]),
    ],
    text: (facts) => [
      "aws ec2 run-instances",
      `--region ${regionWord(facts)}`,
      facts.zone === undefined ? undefined : `--placement ${shellWord(`AvailabilityZone=${facts.zone}`)}`,
      `--instance-type ${shellWord(facts.type)}`,
      `--image-id ${wordOr(facts.imageId, "ami-id")}`,
      `--key-name ${blank("key-pair")}`,
      `--security-group-ids ${blank("security-group-id")}`,
    ],
    nodes: "--count",
    disk: (diskGb, { rootDevice = blank("root-device") }) =>
      `--block-device-mappings ${shellWord(`DeviceName=${rootDevice},Ebs={VolumeSize=${diskGb},VolumeType=gp3}`)}`,
    spot: ({ ceiling }) =>
      `--instance-market-options ${shellWord(`MarketType=spot,SpotOptions={MaxPrice=${ceiling}}`)}`,
    stop: (facts) => `aws ec2 terminate-instances --region ${regionWord(facts)} --instance-ids ${blank("instance-id")}`,
  },
  azure: {
    text: (facts) => [
      "az vm create",
      `--resource-group ${blank("resource-group")}`,
      `--name ${blank("name")}`,
      `--location ${regionWord(facts)}`,
      `--size ${shellWord(facts.type)}`,
      `--image ${wordOr(facts.imageId, "image")}`,
      "--admin-username azureuser",
      "--generate-ssh-keys",
    ],
    nodes: "--count",
    disk: (diskGb) => `--os-disk-size-gb ${diskGb} --storage-sku Premium_LRS`,
    spot: ({ ceiling }) => `--priority Spot --max-price ${ceiling} --eviction-policy Delete`,
    stop: () => `az vm delete --resource-group ${blank("resource-group")} --name ${blank("name")} --yes`,
  },
  gcp: {
    before: ({ zone, region }) =>
      zone !== undefined || region === undefined
        ? []
        : ["The zones of the region:", `gcloud compute zones list ${shellWord(`--filter=region:${region}`)}`],
    text: (facts) => {
      const [, project, family] = IMAGE_FAMILY.exec(facts.imageId ?? "") ?? [];
      const [, card] = /^(t4|v100|p100|p4|k80)(?:-|$)/.exec(facts.gpuSlug) ?? [];
      const isApart = facts.type.startsWith("n1-") && card !== undefined;
      return [
        `gcloud compute instances create ${blank("name")}`,
        `--zone ${wordOr(facts.zone, "zone")}`,
        `--machine-type ${shellWord(facts.type)}`,
        isApart ? `--accelerator type=nvidia-tesla-${card},count=${facts.gpuCount}` : undefined,
        `--image-family ${wordOr(family, "image-family")}`,
        `--image-project ${wordOr(project, "image-project")}`,
        "--maintenance-policy TERMINATE",
      ];
    },
    disk: (diskGb, { diskProduct }) =>
      `--boot-disk-size ${diskGb}GB --boot-disk-type ${diskProduct?.startsWith("Hyperdisk") === true ? "hyperdisk-balanced" : "pd-balanced"}`,
    spot: () => "--provisioning-model SPOT",
    stop: (facts) => `gcloud compute instances delete ${blank("name")} --zone ${wordOr(facts.zone, "zone")} --quiet`,
  },
  vast: {
    takes: "providerOfferId",
    inText: ["disk"],
    before: () => ["Add your key once:", `vastai create ssh-key ${shellWord(blank("ssh-public-key"))}`],
    text: ({ type, imageId, diskGb }) => [
      `vastai create instance ${shellWord(type)}`,
      `--image ${wordOr(imageId, "docker-image")}`,
      `--disk ${diskGb ?? blank("disk-gb")}`,
      "--ssh --direct",
    ],
    spot: ({ bid }) => (bid === undefined ? undefined : `--bid_price ${bid}`),
    stop: () => `vastai destroy instance ${blank("instance-id")}`,
  },
  vultr: {
    types: /^v(?:cg|dm)-/,
    text: (facts) => [
      "vultr-cli instance create",
      `--region ${regionWord(facts)}`,
      `--plan ${shellWord(facts.type)}`,
      `--os ${wordOr(facts.imageId, "os-id")}`,
      `--ssh-keys ${blank("ssh-key-id")}`,
      `--label ${blank("name")}`,
    ],
    stop: () => `vultr-cli instance delete ${blank("instance-id")}`,
  },
  linode: {
    text: (facts) => [
      "linode-cli linodes create",
      `--type ${shellWord(facts.type)}`,
      `--region ${regionWord(facts)}`,
      `--image ${wordOr(facts.imageId, "image")}`,
      `--root_pass ${blank("root-password")}`,
      `--authorized_keys ${shellWord(blank("ssh-public-key"))}`,
      `--label ${blank("name")}`,
    ],
    stop: () => `linode-cli linodes delete ${blank("instance-id")}`,
  },
  do: {
    text: (facts) => [
      `doctl compute droplet create ${blank("name")}`,
      `--region ${regionWord(facts)}`,
      `--size ${shellWord(facts.type)}`,
      `--image ${wordOr(facts.imageId, "image")}`,
      `--ssh-keys ${blank("ssh-key-id")}`,
    ],
    stop: () => `doctl compute droplet delete ${blank("name")} --force`,
  },
  scaleway: {
    text: ({ type, region, imageId }) => [
      "scw instance server create",
      `type=${shellWord(type)}`,
      `zone=${wordOr(region, "zone")}`,
      `image=${wordOr(imageId, "image")}`,
    ],
    disk: (diskGb) => `root-volume=sbs:${diskGb}GB`,
    stop: ({ region }) =>
      `scw instance server terminate ${blank("server-id")} zone=${wordOr(region, "zone")} with-ip=true with-block=true`,
  },
  oci: {
    text: (facts) => [
      "oci compute instance launch",
      `--region ${regionWord(facts)}`,
      `--shape ${shellWord(facts.type)}`,
      `--availability-domain ${blank("availability-domain")}`,
      `--compartment-id ${blank("compartment-id")}`,
      `--subnet-id ${blank("subnet-id")}`,
      `--image-id ${wordOr(facts.imageId, "image-id")}`,
      `--ssh-authorized-keys-file ${blank("ssh-key-file")}`,
      "--assign-public-ip true",
    ],
    disk: (diskGb) => `--boot-volume-size-in-gbs ${diskGb}`,
    spot: () => `--preemptible-instance-config '{"preemptionAction": {"type": "TERMINATE"}}'`,
    stop: (facts) =>
      `oci compute instance terminate --region ${regionWord(facts)} --instance-id ${blank("instance-id")} --force`,
  },
  nebius: {
    inText: ["disk"],
    types: NEBIUS_TYPE,
    before: ({ region }) => (region === undefined ? [] : ["The project must be in this region:", shellWord(region)]),
    text: ({ type, imageId, diskGb }) => {
      const [, platform = type, preset = ""] = NEBIUS_TYPE.exec(type) ?? [];
      const network = `[{"name": "eth0", "subnet_id": "${blank("subnet-id")}", "ip_address": {}, "public_ip_address": {}}]`;
      const user = `#cloud-config\nusers: [{name: ubuntu, sudo: "ALL=(ALL) NOPASSWD:ALL", shell: /bin/bash, ssh_authorized_keys: ["${blank("ssh-public-key")}"]}]`;
      return [
        "nebius compute instance create",
        `--name ${blank("name")}`,
        `--parent-id ${blank("project-id")}`,
        `--resources-platform ${shellWord(platform)}`,
        `--resources-preset ${shellWord(preset)}`,
        "--boot-disk-attach-mode read_write",
        `--boot-disk-managed-disk-name ${blank("name")}`,
        "--boot-disk-managed-disk-type network_ssd",
        `--boot-disk-managed-disk-size-gibibytes ${diskGb ?? blank("disk-gb")}`,
        `--boot-disk-managed-disk-source-image-family-image-family ${shellWord(imageId ?? "ubuntu24.04-cuda13.0")}`,
        `--network-interfaces ${shellWord(network)}`,
        `--cloud-init-user-data ${shellWord(user)}`,
      ];
    },
    spot: () => "--preemptible-on-preemption stop",
    stop: () => `nebius compute instance delete --id ${blank("instance-id")}`,
  },
  crusoe: {
    text: (facts) => [
      "crusoe compute vms create",
      `--name ${blank("name")}`,
      `--type ${shellWord(facts.type)}`,
      `--location ${wordOr(facts.region, "location")}`,
      `--image ${wordOr(facts.imageId, "image")}`,
      `--keyfile ${blank("ssh-key-file")}`,
    ],
    nodes: "--count",
    stop: () => `crusoe compute vms delete ${blank("name")}`,
  },
  coreweave: {
    isFile: true,
    inText: ["nodes"],
    before: ({ region }) => (region === undefined ? [] : [`The cluster must be in ${yamlScalar(region)}.`]),
    text: ({ type, nodes }) => [
      "apiVersion: compute.coreweave.com/v1alpha1",
      "kind: NodePool",
      "metadata:",
      `  name: ${blank("name")}`,
      "spec:",
      `  instanceType: ${yamlScalar(type)}`,
      `  targetNodes: ${nodes}`,
    ],
    stop: () => "kubectl delete -f nodepool.yaml",
  },
  ovh: {
    text: (facts) => [
      `openstack --os-region-name ${regionWord(facts)} server create`,
      `--flavor ${shellWord(facts.type)}`,
      `--image ${wordOr(facts.imageName, "image")}`,
      `--key-name ${blank("key-pair")}`,
      "--network Ext-Net",
      blank("name"),
    ],
    stop: (facts) => `openstack --os-region-name ${regionWord(facts)} server delete ${blank("name")}`,
  },
  paperspace: {
    inText: ["disk"],
    text: (facts) => [
      "pspace machine create",
      `--name ${blank("name")}`,
      `--machine-type ${shellWord(facts.type)}`,
      `--template-id ${blank("template-id")}`,
      `--region ${regionWord(facts)}`,
      `--disk-size ${facts.diskGb ?? blank("disk-gb")}`,
      "--public-ip-type dynamic",
    ],
    stop: () => `pspace machine delete ${blank("instance-id")}`,
  },
  thunder: {
    inText: ["disk"],
    types: THUNDER_TYPE,
    text: ({ type, vcpu, diskGb }) => {
      const [, gpu = "", count = "", mode = "production"] = THUNDER_TYPE.exec(type) ?? [];
      return [
        "tnr create",
        `--mode ${mode}`,
        `--gpu ${gpu} --num-gpus ${count}`,
        vcpu > 0 ? `--vcpus ${vcpu}` : undefined,
        "--template base",
        `--primary-disk ${diskGb ?? 100}`,
      ];
    },
    stop: () => `tnr delete ${blank("instance-id")}`,
  },
} satisfies Readonly<Record<string, LaunchCommand>>;
