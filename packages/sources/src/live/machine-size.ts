// Sources that sell vCPUs and memory apart from GPUs have no machine types. One machine is listed per number of GPUs: with
// as much memory as its GPUs have, which a model needs to get there, and one vCPU for each 4 GB.

const VCPU_PER_GB = 1 / 4;

/** Limits of a machine; unset ones don't exist. */
interface MachineLimits {
  minVcpu?: number;
  maxVcpu?: number;
  minVcpuPerGb?: number;
  maxVcpuPerGb?: number;
  maxRamGb?: number;
}

/** vCPUs and GB of memory, whole numbers from 1. */
interface MachineSize {
  vcpu: number;
  ramGb: number;
}

/**
 * The machine to list for GPUs with this much memory: the nearest one within the limits, or undefined if they exclude
 * every machine.
 * @param vramGb Memory of all GPUs together.
 */
export function machineSize(vramGb: number, limits: MachineLimits): MachineSize | undefined {
  const { minVcpu = 1, maxVcpu = Infinity, minVcpuPerGb = 0, maxVcpuPerGb = Infinity, maxRamGb = Infinity } = limits;
  const wantedGb = Math.max(1, Math.min(Math.ceil(vramGb), Math.floor(maxRamGb)));
  const wantedVcpu = Math.ceil(wantedGb * Math.max(VCPU_PER_GB, minVcpuPerGb));
  const vcpu = Math.max(Math.ceil(minVcpu), Math.min(wantedVcpu, Math.floor(maxVcpu)), 1);
  const ramGb = Math.max(Math.ceil(vcpu / maxVcpuPerGb), Math.min(wantedGb, Math.floor(vcpu / minVcpuPerGb)));
  const fits = vcpu <= maxVcpu && ramGb >= 1 && ramGb <= maxRamGb && vcpu >= ramGb * minVcpuPerGb;
  return fits && vcpu <= ramGb * maxVcpuPerGb ? { vcpu, ramGb } : undefined;
}
