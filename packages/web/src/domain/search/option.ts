import { foldText } from '@gatehouse/contract/fold-text'
import type { SearchType } from '@gatehouse/contract/search'
import type { Glyph } from '../../ui/icon.tsx'

/** An option of the palette. */
export interface Option {
  /** Unique among all options and recent choices. */
  key: string
  title: string
  detail?: string
  /** Kind, at the end of the line. */
  kind?: string
  icon: Glyph
  /** Target path; without it, the option is an action. */
  to?: string
  run?: () => unknown
  /** Not kept among the recent choices. */
  isPassing?: true
  /** Additional search words. */
  words?: string
}

/** Options under one heading. */
export interface Group {
  name: 'recent' | 'screens' | FoundKind | 'actions'
  options: readonly Option[]
}

/** Kinds of search results, each with its own heading. */
export type FoundKind = SearchType | 'file'

/**
 * 0: equals the text, 1: starts with it, 2: has a word that starts with it, 3: contains it. Undefined: no
 * match.
 */
export function rankOf({ title, words = '' }: Option, text: string): number | undefined {
  const wanted = foldText(text)
  const name = foldText(title)
  if (name === wanted) return 0
  if (name.startsWith(wanted)) return 1
  const all = foldText(`${title} ${words}`)
  if (all.split(/[\s.:–-]+/).some((word) => word.startsWith(wanted))) return 2
  return all.includes(wanted) ? 3 : undefined
}

/** Returns the options that match a text, best match first. */
export function narrow(options: readonly Option[], text: string): Option[] {
  const ranked = options.flatMap((option) => {
    const rank = rankOf(option, text)
    return rank === undefined ? [] : [{ option, rank }]
  })
  return ranked.sort((left, right) => left.rank - right.rank).map(({ option }) => option)
}
