import { findFolded } from '@gatehouse/contract/fold-text'
import './marked.css'

/** A text with what was typed marked in it, whatever its case and accents. */
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
