import { foldText } from '@gatehouse/contract/fold-text'

/** Returns a LIKE pattern that matches part of a text, with wildcards escaped. */
export function likePattern(part: string): string {
  return `%${escaped(part)}%`
}

/** Returns a LIKE pattern that matches part of a folded text (`fold_text` in SQL). */
export function foldedPattern(part: string): string {
  return likePattern(folded(part))
}

/** Returns a LIKE pattern that matches the beginning of a folded text. */
export function foldedBeginning(part: string): string {
  return `${escaped(folded(part))}%`
}

/** A lone accent is kept, so that it matches nothing rather than everything. */
function folded(text: string): string {
  return foldText(text) || text
}

function escaped(text: string): string {
  return text.replaceAll(/[\\%_]/g, String.raw`\$&`)
}
