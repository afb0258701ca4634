/** Command lines and what they do, for help and manual. */
export const EXAMPLES: readonly (readonly [line: string, purpose: string])[] = [
  ["gpu-offers", "open the picker"],
  ['gpu-offers --text "8xh100 eu" --disk 1000', "open it on these"],
  ["gpu-offers --gpu h100 --first | jq .deployment", "best match, in a script"],
  ["gpu-offers --max-price 2.50 --list --format csv", "a list for a spreadsheet"],
  [
    "gpu-offers --os ubuntu-22.04 --cuda 12 --min-vram 24 --max-price 0.5 --list",
    "cards with an OS image and a CUDA version",
  ],
  ["gpu-offers --gpu b200 --watch --timeout 3600", "wait up to an hour for one"],
  ['gpu-offers --gpu b200 --watch --exec "mail -s B200 me@example.com"', "run a command for each new match"],
  ["gpu-offers compare ID ID", "offers side by side"],
  ["gpu-offers --id ID", "the deployment of one"],
  ["gpu-offers images hyperstack", "OS images of a provider"],
  ["gpu-offers --catalog aws/vms.csv", "pick without a service"],
  ['eval "$(gpu-offers completion bash)"', "enable completion"],
];

/** The examples as help shows them: a purpose that has no room beside its line is left out. */
export function examplesText(): string {
  return EXAMPLES.map(([line, purpose]) => {
    const whole = `  ${line.padEnd(51)} ${purpose}`;
    return line.length > 51 || whole.length > 80 ? `  ${line}` : whole;
  }).join("\n");
}
