import { foldText } from '@gatehouse/contract/fold-text'

/** A pattern for LIKE that finds a part of a text; signs with a meaning to LIKE stand for themselves. */
export function likePattern(part: string): string {
  return `%${escaped(part)}%`
}

/** A pattern for LIKE that finds a part of a folded text (`fold_text` in SQL). */
export function foldedPattern(part: string): string {
  return likePattern(folded(part))
}

/** A pattern for LIKE that finds the beginning of a folded text. */
export function foldedBeginning(part: string): string {
  return `${escaped(folded(part))}%`
}

/** An accent alone stays, so that it finds nothing rather than everything. */
function folded(text: string): string {
  return foldText(text) || text
}

function escaped(text: string): string {
  return text.replaceAll(/[\\%_]/g, String.raw`\$&`)
}
