import { shellWord } from "../text/shell-word.js";
import { post, request, type LaunchCommand } from "./launch-command.js";
import type { LaunchFacts } from "./launch-facts.js";
import { blank } from "./launch-text.js";

// How machines of providers without such a tool are launched: requests to their APIs, in a table as that of launch-commands.ts.

/** The header of a key that is still to be filled in. */
const BEARER = `Authorization: Bearer ${blank("api-key")}`;

const SHADEFORM_KEY = `X-API-KEY: ${blank("api-key")}`;

const HYPERSTACK_KEY = `api_key: ${blank("api-key")}`;

const CAPITALIZED_KEY = `X-API-Key: ${blank("api-key")}`;

const HYPERBOLIC_RENTALS = "https://api.hyperbolic.ai/v2/on-demand/virtual-machine-rentals";

const CLOUDRIFT = { version: "2026-09-08" };

/** A request that creates a machine. */
interface Creation extends Omit<LaunchCommand, "text" | "stop"> {
  url: string;
  /** The header of the key; default: a bearer token. */
  key?: string;
  /** What is asked for, without the members that are undefined. */
  body: (facts: LaunchFacts) => Readonly<Record<string, unknown>>;
  /** What the machine's id is called, which it is deleted by at the same address; or the request that ends it. */
  end: string | (() => string);
}

function creation({ url, key = BEARER, body, end, ...launcher }: Creation): LaunchCommand {
  return {
    ...launcher,
    text: (facts) => [post(url, key, body(facts))],
    stop: typeof end === "string" ? () => request("DELETE", `${url}/${blank(end)}`, key) : end,
  };
}

/** The requests; a provider may have one of each kind of machine. */
export const REQUEST_COMMANDS = {
  runpod: creation({
    inText: ["disk"],
    url: "https://api.runpod.io/v2/pods",
    body: ({ type, region, gpuCount, imageId, diskGb, seller }) => ({
      name: blank("name"),
      image: imageId ?? blank("docker-image"),
      disk: diskGb,
      ports: ["22/tcp"],
      env: { PUBLIC_KEY: blank("ssh-public-key") },
      gpu: { id: type, count: gpuCount },
      cloud: seller === "host" ? "COMMUNITY" : "SECURE",
      dataCenterIds: region === undefined ? undefined : [region],
    }),
    end: "pod-id",
  }),
  verda: creation({
    inText: ["spot", "disk"],
    url: "https://api.verda.com/v1/instances",
    body: ({ type, region, imageId, diskGb, isSpot }) => ({
      instance_type: type,
      image: imageId ?? blank("image"),
      ssh_key_ids: [blank("ssh-key-id")],
      hostname: blank("hostname"),
      description: blank("hostname"),
      location_code: region ?? blank("location"),
      is_spot: isSpot,
      os_volume: diskGb === undefined ? undefined : { name: blank("name"), size: diskGb },
    }),
    end: () =>
      post("https://api.verda.com/v1/instances", BEARER, { id: [blank("instance-id")], action: "delete" }, "PUT"),
  }),
  lambda: creation({
    inText: ["volume"],
    url: "https://cloud.lambda.ai/api/v1/instance-operations/launch",
    body: ({ type, region, imageId, addedGb }) => ({
      region_name: region ?? blank("region"),
      instance_type_name: type,
      ssh_key_names: [blank("ssh-key-name")],
      file_system_names: addedGb === undefined ? undefined : [blank("volume-name")],
      image: imageId === undefined ? undefined : { family: imageId },
    }),
    end: () =>
      post("https://cloud.lambda.ai/api/v1/instance-operations/terminate", BEARER, {
        instance_ids: [blank("instance-id")],
      }),
  }),
  "vultr-bare-metal": creation({
    types: /^vbm-/,
    url: "https://api.vultr.com/v2/bare-metals",
    body: ({ type, region, imageId }) => ({
      region: region ?? blank("region"),
      plan: type,
      os_id: imageId !== undefined && /^\d+$/.test(imageId) ? Number(imageId) : blank("os-id"),
      sshkey_id: [blank("ssh-key-id")],
      label: blank("name"),
    }),
    end: "server-id",
  }),
  hyperstack: creation({
    inText: ["nodes"],
    before: ({ region }) =>
      region === undefined ? [] : ["The environment must be in this region:", shellWord(region)],
    url: "https://infrahub-api.nexgencloud.com/v1/core/virtual-machines",
    key: HYPERSTACK_KEY,
    body: ({ type, imageName, nodes }) => ({
      name: blank("name"),
      environment_name: blank("environment"),
      image_name: imageName ?? blank("image-name"),
      flavor_name: type,
      key_name: blank("ssh-key-name"),
      count: nodes,
      assign_floating_ip: true,
      security_rules: [
        {
          direction: "ingress",
          ethertype: "IPv4",
          protocol: "tcp",
          port_range_min: 22,
          port_range_max: 22,
          remote_ip_prefix: "0.0.0.0/0",
        },
      ],
    }),
    end: "instance-id",
  }),
  shadeform: creation({
    url: "https://api.shadeform.ai/v1/instances/create",
    key: SHADEFORM_KEY,
    body: ({ type, region, imageId, cloud }) => ({
      cloud: cloud ?? blank("cloud"),
      region: region ?? blank("region"),
      shade_instance_type: type,
      shade_cloud: true,
      name: blank("name"),
      os: imageId,
      ssh_key_id: blank("ssh-key-id"),
    }),
    end: () => request("POST", `https://api.shadeform.ai/v1/instances/${blank("instance-id")}/delete`, SHADEFORM_KEY),
  }),
  latitude: creation({
    url: "https://api.latitude.sh/servers",
    body: ({ type, region, imageId }) => ({
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
    end: "server-id",
  }),
  lium: {
    takes: "providerOfferId",
    text: ({ type, gpuCount }) => [
      post(`https://lium.io/api/executors/${encodeURIComponent(type)}/rent`, CAPITALIZED_KEY, {
        pod_name: blank("name"),
        template_id: blank("template-id"),
        gpu_count: gpuCount,
        user_public_key: [blank("ssh-public-key")],
      }),
    ],
    stop: () => request("DELETE", `https://lium.io/api/pods/${blank("pod-id")}`, CAPITALIZED_KEY),
  },
  cloudrift: creation({
    url: "https://api.cloudrift.ai/api/v1/instances/rent",
    key: CAPITALIZED_KEY,
    body: ({ type, region }) => ({
      ...CLOUDRIFT,
      data: {
        selector: { ByInstanceTypeAndLocation: { datacenters: [region ?? blank("data-center")], instance_type: type } },
        config: {
          VirtualMachine: { image_url: blank("image-url"), ssh_key: { PublicKeys: [blank("ssh-public-key")] } },
        },
        with_public_ip: true,
      },
    }),
    end: () =>
      post("https://api.cloudrift.ai/api/v1/instances/terminate", CAPITALIZED_KEY, {
        ...CLOUDRIFT,
        data: { selector: { ById: [blank("instance-id")] } },
      }),
  }),
  primeintellect: creation({
    inText: ["disk"],
    before: () => [
      "The GPU type, socket and provider are those of the availability list:",
      request("GET", "https://api.primeintellect.ai/api/v1/availability/gpus", BEARER),
    ],
    url: "https://api.primeintellect.ai/api/v1/pods",
    body: ({ type, region, country, gpuCount, imageId, diskGb, seller, ceiling }) => ({
      pod: {
        name: blank("name"),
        cloudId: type,
        gpuType: blank("gpu-type"),
        socket: blank("socket"),
        gpuCount,
        diskSize: diskGb,
        image: imageId ?? blank("image"),
        dataCenterId: region,
        country,
        security: seller === "host" ? "community_cloud" : "secure_cloud",
        maxPrice: ceiling,
      },
      provider: { type: blank("cloud") },
    }),
    end: "pod-id",
  }),
  hyperbolic: creation({
    url: HYPERBOLIC_RENTALS,
    body: ({ type, region, gpuCount }) => ({ gpuType: type, gpuCount, region, label: blank("name") }),
    end: () => post(`${HYPERBOLIC_RENTALS}/terminate`, BEARER, { rentalId: blank("rental-id") }),
  }),
  tensordock: creation({
    inText: ["disk"],
    url: "https://dashboard.tensordock.com/api/v2/instances",
    body: ({ type, offerId, gpuCount, vcpu, ramGb, diskGb, imageId }) => ({
      data: {
        type: "virtualmachine",
        attributes: {
          name: blank("name"),
          type: "virtualmachine",
          image: imageId ?? "ubuntu2404",
          location_id: offerId ?? blank("location-id"),
          resources: { vcpu_count: vcpu, ram_gb: ramGb, storage_gb: diskGb, gpus: { [type]: { count: gpuCount } } },
          useDedicatedIp: true,
          ssh_key: blank("ssh-public-key"),
        },
      },
    }),
    end: "instance-id",
  }),
  voltagepark: creation({
    url: "https://cloud-api.voltagepark.com/api/v1/virtual-machines/instant",
    body: ({ type }) => ({
      config_id: type,
      name: blank("name"),
      organization_ssh_keys: { mode: "selective", ssh_key_ids: [blank("ssh-key-id")] },
    }),
    end: () =>
      request("DELETE", `https://cloud-api.voltagepark.com/api/v1/virtual-machines/${blank("instance-id")}`, BEARER),
  }),
  seeweb: creation({
    url: "https://api.seeweb.it/ecs/v2/servers",
    key: `X-APITOKEN: ${blank("api-key")}`,
    body: ({ type, region, imageId }) => ({
      plan: type,
      location: region ?? blank("location"),
      image: imageId ?? blank("image"),
      notes: blank("name"),
      ssh_key: blank("ssh-key-name"),
    }),
    end: "server-id",
  }),
} satisfies Readonly<Record<string, LaunchCommand>>;
