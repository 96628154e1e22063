// The text of a channel file, as far as the page writes into it.

/** Whether a text is a channel file and not a scene. */
export function isChannel(text: string): boolean {
  return /^(channel|tube):/m.test(text);
}

/** Another value for a key in a text of YAML: what stands behind it on its line, and what is indented below it. */
export function withValue(text: string, key: string, value: string): string {
  const line = new RegExp(`^([ \\t]*)${key}:.*(?:\\n\\1[ \\t]+.*)*`, 'm');
  if (line.test(text)) return text.replace(line, `$1${key}: ${value}`);
  return `${text.replace(/\n*$/, '\n')}${key}: ${value}\n`;
}
