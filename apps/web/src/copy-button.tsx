import type { FunctionComponent } from "preact";
import { useState } from "preact/hooks";

/** A button that copies a text; where scripts have no clipboard, it shows the text selected, ready for the copy key. */
export const CopyButton: FunctionComponent<{ text: string; label: string; class?: string; title?: string }> = ({
  text,
  label,
  title,
  class: className = "chip",
}) => {
  const [shown, setShown] = useState<"label" | "copied" | "text">("label");
  const isCopied = shown === "copied";
  const reset = (): void => setShown("label");
  if (shown === "text") {
    return <textarea readOnly ref={selectAll} aria-label="Copy with Ctrl+C or Cmd+C" value={text} onBlur={reset} />;
  }
  const copy = async (): Promise<void> => {
    // Undefined on plain HTTP, other than its type says
    const clipboard = navigator.clipboard as Clipboard | undefined;
    const isDone = await clipboard?.writeText(text).then(
      () => true,
      () => false,
    );
    setShown(isDone === true ? "copied" : "text");
  };
  return (
    <button class={className} title={title} onClick={() => void copy()} onBlur={isCopied ? reset : undefined}>
      {isCopied ? "Copied" : label}
    </button>
  );
};

function selectAll(field: HTMLTextAreaElement | null): void {
  field?.focus();
  field?.select();
}
