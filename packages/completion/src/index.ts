import { FILES } from "./completions.js";

export { completions, type CompletedProgram, type Values } from "./completions.js";

/** Supported shells. */
export const SHELLS = ["bash", "zsh", "fish"] as const;

/** One of {@link SHELLS}. */
export type Shell = (typeof SHELLS)[number];

/**
 * The script that completes a program in a shell. It runs `<name> complete -- <words>`, which prints the
 * {@link completions}.
 */
export function completionScript(shell: Shell, name: string): string {
  return SCRIPTS[shell](name, `_${name.replaceAll("-", "_")}`);
}

const SCRIPTS: Readonly<Record<Shell, (name: string, functionName: string) => string>> = {
  bash: (name, functionName) => `# bash completion of ${name}: eval "$(${name} completion bash)"
${functionName}() {
  local IFS=$'\\n' found
  found=$(${name} complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null | cut -f 1)
  if [[ $found == ${FILES} ]]; then
    found=$(compgen -f -- "\${COMP_WORDS[COMP_CWORD]}")
  fi
  COMPREPLY=($found)
}
complete -o filenames -F ${functionName} ${name}
`,
  zsh: (name, functionName) => `#compdef ${name}
# zsh completion of ${name}: source <(${name} completion zsh)
${functionName}() {
  local -a found
  found=(\${(f)"$(${name} complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)"})
  if [[ $found == ${FILES} ]]; then
    _files
  else
    found=("\${(@)found//:/\\\\:}")
    found=("\${(@)found/$'\\t'/:}")
    _describe '${name}' found -M 'm:{a-zA-Z}={A-Za-z}'
  fi
}
compdef ${functionName} ${name}
`,
  fish: (name, functionName) => `# fish completion of ${name}: ${name} completion fish | source
function _${functionName}
  set -l word (commandline -ct)
  set -l found (${name} complete -- (commandline -opc)[2..] "$word" 2>/dev/null)
  if test "$found" = ${FILES}
    __fish_complete_path "$word"
  else
    printf '%s\\n' $found
  end
end
complete -c ${name} -f -a '(_${functionName})'
`,
};
