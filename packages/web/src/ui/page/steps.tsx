import IconCheck from '@tabler/icons-react/dist/esm/icons/IconCheck.mjs'
import { useT } from '../../i18n/i18n.ts'
import { Icon } from '../icon.tsx'
import './steps.css'

export interface StepsProps {
  /** Names of the steps, in order. */
  names: readonly string[]
  /** Index of the step that is shown. */
  current: number
}

/** Progress through a multi-step form. */
export function Steps({ names, current }: StepsProps) {
  const t = useT()
  return (
    <ol className="steps" aria-label={t('words.progress')}>
      {names.map((name, index) => (
        <li
          key={name}
          className={index < current ? 'steps-done' : undefined}
          aria-current={index === current ? 'step' : undefined}
        >
          {index < current ? <Icon of={IconCheck} size="small" /> : <i aria-hidden="true">{index + 1}</i>}
          {name}
          {index < current && <span className="visually-hidden">{t('steps.done')}</span>}
        </li>
      ))}
    </ol>
  )
}
