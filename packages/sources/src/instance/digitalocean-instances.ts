import { family, linked, type InstanceFamily } from "./instance-family.js";

// Types fully described by their name need no row: type-name.ts parses them.

const digitalOcean = {
  title: "DigitalOcean GPU Droplets: features",
  url: "https://docs.digitalocean.com/products/droplets/details/features/#gpu-droplets",
};

/** DigitalOcean: `gpu-h100x8-640gb`; the memory is of all GPUs, and `-contracted` or `-base` may follow. */
export const digitalOceanInstances: readonly InstanceFamily[] = [
  family(/^gpu-h100x(\d+)-\d+gb(?:-\w+)?$/i, "h100-sxm", digitalOcean, "1:1,20,240 8:8,160,1920", linked()),
  family(/^gpu-h200x(\d+)-\d+gb(?:-\w+)?$/i, "h200-sxm", digitalOcean, "1:1,24,240 8:8,192,1920", linked()),
  family(/^gpu-mi300x(\d+)-\d+gb(?:-\w+)?$/i, "mi300x", digitalOcean, "1:1,20,240 8:8,160,1920"),
  family(/^gpu-mi325x(\d+)-\d+gb(?:-\w+)?$/i, "mi325x", digitalOcean, "1:1,20,164 8:8,160,1310"),
  family(/^gpu-l40sx(\d+)-\d+gb(?:-\w+)?$/i, "l40s", digitalOcean, "1:1,8,64"),
  family(/^gpu-4000adax(\d+)-\d+gb(?:-\w+)?$/i, "rtx-4000-ada", digitalOcean, "1:1,8,32"),
  family(/^gpu-6000adax(\d+)-\d+gb(?:-\w+)?$/i, "rtx-6000-ada", digitalOcean, "1:1,8,64"),
];
