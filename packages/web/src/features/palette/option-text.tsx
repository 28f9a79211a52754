import { Icon } from '../../ui/icon.tsx'
import type { Option } from './option.ts'

/** One line of the palette: icon, name with what was typed marked in it, what tells it from others, kind. */
export function OptionText({ option, text }: { option: Option; text: string }) {
  const { icon, title, detail, kind } = option
  return (
    <>
      <Icon of={icon} />
      <span className="palette-text">
        <span className="palette-name">
          <Marked text={title} part={text} />
        </span>
        {detail && (
          <span className="palette-detail">
            <Marked text={detail} part={text} />
          </span>
        )}
      </span>
      {kind && <span className="palette-kind">{kind}</span>}
    </>
  )
}

function Marked({ text, part }: { text: string; part: string }) {
  const at = part === '' ? -1 : text.toLowerCase().indexOf(part.toLowerCase())
  if (at < 0) return text
  const end = at + part.length
  return (
    <>
      {text.slice(0, at)}
      <mark>{text.slice(at, end)}</mark>
      {text.slice(end)}
    </>
  )
}
