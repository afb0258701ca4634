import type { FunctionComponent } from "preact";
import { useState } from "preact/hooks";

/** A button that copies a text. */
export const CopyButton: FunctionComponent<{ text: string; label: string; class?: string; title?: string }> = ({
  text,
  label,
  title,
  class: className = "chip",
}) => {
  const [isDone, setDone] = useState(false);
  return (
    <button
      class={className}
      title={title}
      onClick={(event) => {
        const button = event.currentTarget;
        const show = async (): Promise<void> => {
          const isCopied = await copy(text);
          button.focus();
          setDone(isCopied);
        };
        void show();
      }}
      onBlur={() => setDone(false)}
    >
      {isDone ? "Copied" : label}
    </button>
  );
};

/** Copies a text. Without HTTPS browsers have no clipboard for scripts, but they copy what is selected. */
async function copy(text: string): Promise<boolean> {
  // Undefined on plain HTTP, other than its type says
  const clipboard = navigator.clipboard as Clipboard | undefined;
  if (clipboard !== undefined) {
    return clipboard.writeText(text).then(
      () => true,
      () => false,
    );
  }
  const field = document.createElement("textarea");
  field.className = "unseen";
  field.value = text;
  document.body.append(field);
  field.select();
  // oxlint-disable-next-line typescript/no-deprecated -- navigator.clipboard needs HTTPS or localhost; a service in a house network has neither
  const isCopied = document.execCommand("copy");
  field.remove();
  return isCopied;
}
