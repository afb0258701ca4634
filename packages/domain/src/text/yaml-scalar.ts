/** A text as a YAML scalar: plain if it cannot be read as anything else, otherwise in double quotes, as in JSON. */
export function yamlScalar(text: string): string {
  const isPlain = /^[A-Za-z][\w./-]*$/.test(text) && !/^(?:true|false|yes|no|on|off|null|y|n)$/i.test(text);
  return isPlain ? text : JSON.stringify(text);
}
