import { createContext, useContext } from 'react'
import { Marked } from '../facts/marked.tsx'

/** What a list is searched for. */
export const SearchedFor = createContext('')

/** A text of a row that the search of the list looks at, with what was searched for marked in it. */
export function FoundText({ text }: { text: string }) {
  return <Marked text={text} part={useContext(SearchedFor)} />
}
