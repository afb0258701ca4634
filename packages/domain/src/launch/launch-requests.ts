import { shellWord } from "../text/shell-word.js";
import { BEARER, post, request, type LaunchCommand } from "./launch-command.js";
import { blank } from "./launch-text.js";

// How machines of providers without such a tool are launched: requests to their APIs, in a table as that of launch-tools.ts.

const SHADEFORM_KEY = `X-API-KEY: ${blank("api-key")}`;

const HYPERSTACK_KEY = `api_key: ${blank("api-key")}`;

const CLOUDRIFT = { version: "2026-09-08" };

/** The requests; a provider may have one of each kind of machine. */
export const REQUEST_COMMANDS: readonly LaunchCommand[] = [
  {
    provider: "runpod",
    title: "RunPod API",
    hasDisk: true,
    source: { title: "RunPod REST API v2, pods", url: "https://docs.runpod.io/api-reference/pods/POST/pods" },
    text: ({ type, region, gpuCount, imageId, diskGb, seller }) =>
      post("https://api.runpod.io/v2/pods", BEARER, {
        name: blank("name"),
        image: imageId ?? blank("docker-image"),
        disk: diskGb,
        ports: ["22/tcp"],
        env: { PUBLIC_KEY: blank("ssh-public-key") },
        gpu: { id: type, count: gpuCount },
        cloud: seller === "host" ? "COMMUNITY" : "SECURE",
        dataCenterIds: region === undefined ? undefined : [region],
      }),
    stop: () => request("DELETE", `https://api.runpod.io/v2/pods/${blank("pod-id")}`, BEARER),
  },
  {
    provider: "verda",
    title: "Verda API",
    hasSpot: true,
    hasDisk: true,
    source: { title: "Verda API, deploy instance", url: "https://api.verda.com/v1/docs" },
    text: ({ type, region, imageId, diskGb, isSpot }) =>
      post("https://api.verda.com/v1/instances", BEARER, {
        instance_type: type,
        image: imageId ?? blank("image"),
        ssh_key_ids: [blank("ssh-key-id")],
        hostname: blank("hostname"),
        description: blank("hostname"),
        location_code: region ?? blank("location"),
        is_spot: isSpot,
        os_volume: diskGb === undefined ? undefined : { name: blank("name"), size: diskGb },
      }),
    stop: () =>
      post("https://api.verda.com/v1/instances", BEARER, { id: [blank("instance-id")], action: "delete" }, "PUT"),
  },
  {
    provider: "lambda",
    title: "Lambda API",
    hasNodes: true,
    source: { title: "Lambda Cloud API, launch instances", url: "https://docs.lambda.ai/api/cloud" },
    text: ({ type, region, imageId, nodes }) =>
      post("https://cloud.lambda.ai/api/v1/instance-operations/launch", BEARER, {
        region_name: region ?? blank("region"),
        instance_type_name: type,
        ssh_key_names: [blank("ssh-key-name")],
        quantity: nodes,
        image: imageId === undefined ? undefined : { family: imageId },
      }),
    stop: () =>
      post("https://cloud.lambda.ai/api/v1/instance-operations/terminate", BEARER, {
        instance_ids: [blank("instance-id")],
      }),
  },
  {
    provider: "vultr",
    title: "Vultr API",
    types: /^vbm-/,
    source: { title: "Vultr API, create bare metal", url: "https://www.vultr.com/api/#operation/create-baremetal" },
    text: ({ type, region, imageId }) =>
      post("https://api.vultr.com/v2/bare-metals", BEARER, {
        region: region ?? blank("region"),
        plan: type,
        os_id: imageId !== undefined && /^\d+$/.test(imageId) ? Number(imageId) : blank("os-id"),
        sshkey_id: [blank("ssh-key-id")],
        label: blank("name"),
      }),
    stop: () => request("DELETE", `https://api.vultr.com/v2/bare-metals/${blank("server-id")}`, BEARER),
  },
  {
    provider: "hyperstack",
    title: "Hyperstack API",
    hasNodes: true,
    source: {
      title: "Hyperstack API, create virtual machines",
      url: "https://docs.hyperstack.cloud/docs/api-reference/",
    },
    before: ({ region }) =>
      region === undefined ? [] : ["The environment must be in this region:", shellWord(region)],
    text: ({ type, imageName, nodes }) =>
      post("https://infrahub-api.nexgencloud.com/v1/core/virtual-machines", HYPERSTACK_KEY, {
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
    volume: (addedGb) =>
      post("https://infrahub-api.nexgencloud.com/v1/core/volumes", HYPERSTACK_KEY, {
        name: blank("name"),
        environment_name: blank("environment"),
        volume_type: "Cloud-SSD",
        size: addedGb,
      }),
    stop: () =>
      request(
        "DELETE",
        `https://infrahub-api.nexgencloud.com/v1/core/virtual-machines/${blank("instance-id")}`,
        HYPERSTACK_KEY,
      ),
  },
  {
    provider: "shadeform",
    title: "Shadeform API",
    source: {
      title: "Shadeform API, create instance",
      url: "https://docs.shadeform.ai/api-reference/instances/instances-create",
    },
    text: ({ type, region, imageId, cloud }) =>
      post("https://api.shadeform.ai/v1/instances/create", SHADEFORM_KEY, {
        cloud: cloud ?? blank("cloud"),
        region: region ?? blank("region"),
        shade_instance_type: type,
        shade_cloud: true,
        name: blank("name"),
        os: imageId,
        ssh_key_id: blank("ssh-key-id"),
      }),
    stop: () => request("POST", `https://api.shadeform.ai/v1/instances/${blank("instance-id")}/delete`, SHADEFORM_KEY),
  },
  {
    provider: "latitude",
    title: "Latitude.sh API",
    source: { title: "Latitude.sh API, deploy server", url: "https://docs.latitude.sh/reference/create-server" },
    text: ({ type, region, imageId }) =>
      post("https://api.latitude.sh/servers", BEARER, {
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
    stop: () => request("DELETE", `https://api.latitude.sh/servers/${blank("server-id")}`, BEARER),
  },
  {
    provider: "lium",
    title: "Lium API",
    takes: "providerOfferId",
    source: { title: "Lium API, rent an executor", url: "https://docs.lium.io" },
    text: ({ type, gpuCount }) =>
      post(`https://lium.io/api/executors/${encodeURIComponent(type)}/rent`, `X-API-Key: ${blank("api-key")}`, {
        pod_name: blank("name"),
        template_id: blank("template-id"),
        gpu_count: gpuCount,
        user_public_key: [blank("ssh-public-key")],
      }),
    stop: () => request("DELETE", `https://lium.io/api/pods/${blank("pod-id")}`, `X-API-Key: ${blank("api-key")}`),
  },
  {
    provider: "cloudrift",
    title: "CloudRift API",
    source: { title: "CloudRift API, rent an instance", url: "https://docs.cloudrift.ai" },
    text: ({ type, region }) =>
      post("https://api.cloudrift.ai/api/v1/instances/rent", `X-API-Key: ${blank("api-key")}`, {
        ...CLOUDRIFT,
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
    stop: () =>
      post("https://api.cloudrift.ai/api/v1/instances/terminate", `X-API-Key: ${blank("api-key")}`, {
        ...CLOUDRIFT,
        data: { selector: { ById: [blank("instance-id")] } },
      }),
  },
  {
    provider: "primeintellect",
    title: "Prime Intellect API",
    hasDisk: true,
    source: {
      title: "Prime Intellect API, create pod",
      url: "https://docs.primeintellect.ai/api-reference/pods/create-pod",
    },
    before: () => [
      "The GPU type, socket and provider are those of the availability list:",
      request("GET", "https://api.primeintellect.ai/api/v1/availability/gpus", BEARER),
    ],
    text: ({ type, region, country, gpuCount, imageId, diskGb, seller, ceiling }) =>
      post("https://api.primeintellect.ai/api/v1/pods", BEARER, {
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
    stop: () => request("DELETE", `https://api.primeintellect.ai/api/v1/pods/${blank("pod-id")}`, BEARER),
  },
  {
    provider: "hyperbolic",
    title: "Hyperbolic API",
    source: { title: "Hyperbolic API, virtual machine rentals", url: "https://docs.hyperbolic.xyz" },
    text: ({ type, region, gpuCount }) =>
      post("https://api.hyperbolic.ai/v2/on-demand/virtual-machine-rentals", BEARER, {
        gpuType: type,
        gpuCount,
        region,
        label: blank("name"),
      }),
    stop: () =>
      request(
        "DELETE",
        `https://api.hyperbolic.ai/v2/on-demand/virtual-machine-rentals/${blank("instance-id")}`,
        BEARER,
      ),
  },
  {
    provider: "tensordock",
    title: "TensorDock API",
    hasDisk: true,
    source: {
      title: "TensorDock API, instance creation",
      url: "https://dashboard.tensordock.com/api/docs/instance-creation",
    },
    text: ({ type, offerId, gpuCount, vcpu, ramGb, diskGb, imageId }) =>
      post("https://dashboard.tensordock.com/api/v2/instances", BEARER, {
        data: {
          type: "virtualmachine",
          attributes: {
            name: blank("name"),
            type: "virtualmachine",
            image: imageId ?? "ubuntu2404",
            location_id: offerId ?? blank("location-id"),
            resources: {
              vcpu_count: vcpu,
              ram_gb: ramGb,
              storage_gb: diskGb,
              gpus: { [type]: { count: gpuCount } },
            },
            useDedicatedIp: true,
            ssh_key: blank("ssh-public-key"),
          },
        },
      }),
    stop: () => request("DELETE", `https://dashboard.tensordock.com/api/v2/instances/${blank("instance-id")}`, BEARER),
  },
  {
    provider: "voltagepark",
    title: "Voltage Park API",
    source: {
      title: "Voltage Park API, virtual machines",
      url: "https://cloud-api.voltagepark.com/api/v1/redoc",
    },
    text: ({ type }) =>
      post("https://cloud-api.voltagepark.com/api/v1/virtual-machines/instant", BEARER, {
        config_id: type,
        name: blank("name"),
        organization_ssh_keys: { mode: "selective", ssh_key_ids: [blank("ssh-key-id")] },
      }),
    stop: () =>
      request("DELETE", `https://cloud-api.voltagepark.com/api/v1/virtual-machines/${blank("instance-id")}`, BEARER),
  },
  {
    provider: "seeweb",
    title: "Seeweb API",
    source: { title: "Seeweb ECS API, servers", url: "https://docs.seeweb.it" },
    text: ({ type, region, imageId }) =>
      post("https://api.seeweb.it/ecs/v2/servers", `X-APITOKEN: ${blank("api-key")}`, {
        plan: type,
        location: region ?? blank("location"),
        image: imageId ?? blank("image"),
        notes: blank("name"),
        ssh_key: blank("ssh-key-name"),
      }),
    stop: () =>
      request(
        "DELETE",
        `https://api.seeweb.it/ecs/v2/servers/${blank("server-id")}`,
        `X-APITOKEN: ${blank("api-key")}`,
      ),
  },
];
