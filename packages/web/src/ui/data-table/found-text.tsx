import { createContext, useContext } from 'react'
import { Marked } from '../facts/marked.tsx'

/** The search text of a list. */
export const SearchedFor = createContext('')

/** A searchable text of a row, with the search text highlighted. */
export function FoundText({ text }: { text: string }) {
  return <Marked text={text} part={useContext(SearchedFor)} />
}
