import { Marked } from '../../ui/facts/marked.tsx'
import { Icon } from '../../ui/icon.tsx'
import type { Option } from './option.ts'
import './options.css'

/** One line of the palette: icon, name with the typed text highlighted, detail, kind. */
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
