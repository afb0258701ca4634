// Accelerators other than GPUs, so that a source's row with one is not mistaken for an unknown GPU.

/** Stems (see `parseGpuSpelling`) of products with arbitrary names; what the group matches completes the name. */
const byStem: readonly (readonly [name: string, stem: RegExp])[] = [
  ["Inferentia", /^inferentia([2-9]?)$/],
  ["Trainium", /^trainium([2-9]?)(?:ultra)?$/],
  ["Gaudi", /^gaudi([2-9]?)$/],
  ["Gaudi", /^(?:gaudi)?hl2?05$/],
  ["Gaudi2", /^(?:gaudi2?)?hl22[58][a-z]?$/],
  ["Gaudi3", /^(?:gaudi3?)?hl3[23][58][a-z]?$/],
  ["Cloud AI 100", /^ai100(?:ultra|pro|std|standard)?$/],
  ["Virtex UltraScale", /^virtexultrascale\+?(?:vu\d+p)?$/],
  ["FPGA", /^(?:fpga|vu\d+p|(?:alveo)?u(?:30|50|55c|200|250|280)|versal|vck\d+|stratix\d+|arria\d+|agilex\d*)$/],
  ["TPU ", /^tpu(v?\d(?:e|p|x|litepod)?)?(?:ironwood|trillium)?(?: ?\d+)?$/],
  ["TPU ", /^(v5litepod)(?: ?\d+)?$/],
  ["TPU ", /^(v[2-9](?=[ ep])[ep]?) ?\d+$/],
  // The machine families of TPUs at Google Cloud.
  ["TPU", /^ct\d[a-z]*$/],
  ["Xeon Phi", /^xeonphi\w*$/],
  ["CPU", /^cpu(?:node|only)?$/],
];

/** Makers and products that no GPU name contains, in any position of a spelling. */
const byWord: readonly (readonly [name: string, word: RegExp])[] = [
  ["Ascend", /(?<![a-z])ascend(?![a-z])/],
  ["Cambricon MLU", /(?<![a-z])(?:cambricon|mlu ?\d+)/],
  ["Cerebras", /(?<![a-z])(?:cerebras|wse[ -]?[1-9]\b)/],
  ["Furiosa", /(?<![a-z])(?:furiosa|rngd|warboy)/],
  ["Gaudi", /(?<![a-z])habana(?![a-z])/],
  ["Graphcore IPU", /(?<![a-z])(?:graphcore|ipu(?:[ -]?pod\d*)?)(?![a-z])/],
  ["Groq LPU", /(?<![a-z])(?:groq|lpu(?![a-z]))/],
  ["Kunlun", /(?<![a-z])kunlun/],
  ["Maia", /(?<![a-z])maia(?![a-z])/],
  ["NETINT Quadra", /(?<![a-z])(?:netint|quadra)(?![a-z])/],
  ["Rebellions", /(?<![a-z])rebellions(?![a-z])/],
  ["SambaNova", /(?<![a-z])(?:sambanova|sn[34]0l)(?![a-z])/],
  ["Tenstorrent", /(?<![a-z])(?:tenstorrent|grayskull|wormhole|blackhole)(?![a-z])/],
];

/** The name of the accelerator in a spelling; undefined if it is a GPU or unknown. */
export function otherAccelerator(spelling: string, stem: string): string | undefined {
  for (const [name, pattern] of byStem) {
    const match = pattern.exec(stem);
    if (match !== null) {
      return `${name}${match[1] ?? ""}`.trim();
    }
  }
  const text = spelling.toLowerCase().replaceAll("_", " ");
  return byWord.find(([, word]) => word.test(text))?.[0];
}
