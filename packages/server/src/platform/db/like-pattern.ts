/** A pattern for LIKE that finds a part of a text; signs with a meaning to LIKE stand for themselves. */
export function likePattern(part: string): string {
  return `%${part.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
}
