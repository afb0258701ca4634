/** docs/picker.md with the text between the markers of a part replaced. */
export function withPart(page: string, part: string, text: string): string {
  const [begin, end] = [`<!-- ${part} -->`, `<!-- end of ${part} -->`];
  const from = page.indexOf(begin);
  const to = page.indexOf(end);
  if (from === -1 || to < from) {
    throw new Error(`docs/picker.md has no part "${part}".`);
  }
  return `${page.slice(0, from + begin.length)}\n\n${text}\n\n${page.slice(to)}`;
}
