import { foldText } from '@gatehouse/contract/fold-text'
import type { SearchType } from '@gatehouse/contract/search'
import type { Glyph } from '../../ui/icon.tsx'

/** One thing to choose. */
export interface Option {
  /** Names it among all others, and among the recent choices. */
  key: string
  title: string
  detail?: string
  /** What kind of thing it is, at the end of its line. */
  kind?: string
  icon: Glyph
  /** Where it leads; else it does something. */
  to?: string
  run?: () => unknown
  /** It is not among the last choices later on. */
  isPassing?: true
  /** Other words by which it is found. */
  words?: string
}

/** Options under one heading. */
export interface Group {
  name: 'recent' | 'screens' | FoundKind | 'actions'
  options: readonly Option[]
}

/** Kinds of what the server finds, each with a heading of its own. */
export type FoundKind = SearchType | 'file'

/** 0: is the text, 1: begins with it, 2: has a word that does, 3: has it somewhere. Undefined: has it not. */
export function rankOf({ title, words = '' }: Option, text: string): number | undefined {
  const wanted = foldText(text)
  const name = foldText(title)
  if (name === wanted) return 0
  if (name.startsWith(wanted)) return 1
  const all = foldText(`${title} ${words}`)
  if (all.split(/[\s.:–-]+/).some((word) => word.startsWith(wanted))) return 2
  return all.includes(wanted) ? 3 : undefined
}

/** The options that have a text in them, the nearest first. */
export function narrow(options: readonly Option[], text: string): Option[] {
  const ranked = options.flatMap((option) => {
    const rank = rankOf(option, text)
    return rank === undefined ? [] : [{ option, rank }]
  })
  return ranked.sort((left, right) => left.rank - right.rank).map(({ option }) => option)
}
