import { findFolded } from '@gatehouse/contract/fold-text'
import './marked.css'

/** Highlights the typed part of a text, ignoring case and accents. */
export function Marked({ text, part }: { text: string; part: string }) {
  const found = findFolded(text, part)
  if (found === undefined) return text
  return (
    <>
      {text.slice(0, found.start)}
      <mark className="found-text">{text.slice(found.start, found.end)}</mark>
      {text.slice(found.end)}
    </>
  )
}
