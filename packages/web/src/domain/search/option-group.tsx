import { useId } from 'react'
import type { MessageKey } from '../../i18n/areas.ts'
import { useT } from '../../i18n/i18n.ts'
import { variant } from '../../platform/config.ts'
import { headingOf } from './hits.ts'
import type { Group, Option } from './option.ts'
import { OptionText } from './option-text.tsx'

export interface OptionGroupProps {
  group: Group
  /** The typed text, to be highlighted. */
  text: string
  active: Option | undefined
  optionId: (option: Option) => string
  onMark: (key: string) => void
  onChoose: (option: Option) => void
}

const headings = {
  recent: 'palette.recent',
  screens: 'palette.screens',
  actions: 'palette.actions',
} as const

/** Options of a listbox under a heading; the focus stays in the field. */
export function OptionGroup({ group, text, active, optionId, onMark, onChoose }: OptionGroupProps) {
  const t = useT()
  const headingId = useId()
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset can't be part of a listbox
    <div role="group" aria-labelledby={headingId} className="palette-group">
      <div id={headingId} className="palette-heading" role="presentation">
        {t(headingFor(group.name))}
      </div>
      {group.options.map((option) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys and keeps the focus
        <div
          key={option.key}
          id={optionId(option)}
          role="option"
          className="palette-option"
          aria-selected={option === active}
          tabIndex={-1}
          onPointerMove={() => option !== active && onMark(option.key)}
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => onChoose(option)}
        >
          <OptionText option={option} text={text} />
        </div>
      ))}
    </div>
  )
}

function headingFor(name: Group['name']): MessageKey {
  if (name === 'recent' || name === 'screens' || name === 'actions') return headings[name]
  return headingOf(name, variant() !== 'user')
}
