/**
 * Renders a value as a string of a Sieve script (RFC 5228 §2.4.2). The only place where values enter a script: a value
 * can`t end its string, and \`\${…}\` in it isn`t a variable (RFC 5229 §3), which needs the variable `dollar`.
 */
export function quoted(text: string): string {
  const escaped = clean(text).replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('${', `\${dollar}{`)
  return `"${escaped}"`
}

/** Renders a list of strings; a single one without brackets. */
export function quotedList(texts: readonly string[]): string {
  const [only, ...more] = texts
  if (only !== undefined && more.length === 0) return quoted(only)
  return `[${texts.map(quoted).join(', ')}]`
}

/** Escapes the wildcards of `:matches` (RFC 5228 §2.7.1), so that a value only matches itself. */
export function literalPattern(text: string): string {
  return text.replaceAll(/[\\*?]/g, (character) => `\\${character}`)
}

/** Renders a comment: the value can't continue on another line. Without quotation marks, which only strings have. */
export function comment(text: string): string {
  return `# ${clean(text).replaceAll(/\s+/g, ' ').replaceAll('"', "'")}`
}

/** Lines end as in mail. Characters that a script or a message can't contain are left out. */
function clean(text: string): string {
  return text
    .replaceAll(/\p{Cs}/gu, '\ufffd')
    .replaceAll(/\r\n|\r|\n|[\u2028\u2029]/g, '\n')
    .replaceAll(/[^\t\n\P{Cc}]/gu, '')
    .replaceAll('\n', '\r\n')
}
