/** Command lines and what they do, for help and manual. */
export const EXAMPLES: readonly (readonly [line: string, purpose: string])[] = [
  ["gpu-offers", "open the picker"],
  ['gpu-offers "8xh100 eu" --disk 1TB', "open the picker with filters"],
  ['gpu-offers --live "8xh100 eu"', "fetch current prices first"],
  ["gpu-offers --gpu h100 --first | jq .deployment", "print the best match in a script"],
  ["gpu-offers list h100 --max-price 2.50 -o csv", "print a list for a spreadsheet"],
  [
    "gpu-offers --os ubuntu-22.04 --cuda 12 --min-vram 24 --max-price 0.5 --list",
    "require an OS image and a CUDA version",
  ],
  ["gpu-offers --gpu b200 --watch --timeout 3600", "wait up to an hour for a match"],
  ["gpu-offers --gpu h100 --watch --cheaper", "wait for a lower price than now"],
  ['gpu-offers --gpu b200 --watch --exec "mail -s B200 me@example.com"', "run a command for each new match"],
  ["gpu-offers compare ID ID", "compare offers side by side"],
  ["gpu-offers launch ID", "print what rents an offer"],
  ["gpu-offers --id ID", "print the deployment of an offer"],
  ["gpu-offers gpus h100 mi300x", "what GPUs can do, and what they cost"],
  ["gpu-offers trend h100 --since 90d", "what a GPU cost over time"],
  ["gpu-offers fit 70b --bits 8 --context 16k", "which offers a model fits into"],
  ["gpu-offers images hyperstack", "list a provider's OS images"],
  ["gpu-offers --catalog aws/vms.csv", "pick without a service"],
  ['eval "$(gpu-offers completion bash)"', "enable completion"],
];

/** The examples for help. Descriptions that don't fit on the line are omitted. */
export function examplesText(): string {
  return EXAMPLES.map(([line, purpose]) => {
    const whole = `  ${line.padEnd(51)} ${purpose}`;
    return line.length > 51 || whole.length > 80 ? `  ${line}` : whole;
  }).join("\n");
}
