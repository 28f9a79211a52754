import IconAlertTriangle from '@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs'
import { useId } from 'react'
import { useT } from '../../i18n/i18n.ts'
import { ButtonLink } from '../../ui/buttons/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import './attention.css'

export interface AttentionItem {
  name: string
  text: string
  level: 'danger' | 'warning'
  /** Label of the button. */
  action: string
  to: string
  search?: Record<string, string> | undefined
}

/** Items that need attention, most urgent first; renders nothing if there are none. */
export function Attention({ items }: { items: readonly AttentionItem[] }) {
  const t = useT()
  const titleId = useId()
  if (items.length === 0) return null
  return (
    <section className="panel attention" aria-labelledby={titleId}>
      <header>
        <h2 id={titleId}>{t('dashboard.attention')}</h2>
      </header>
      <ul aria-labelledby={titleId}>
        {items.map(({ name, text, level, action, to, search }) => (
          <li key={name} className={`attention-${level}`}>
            <Icon of={IconAlertTriangle} />
            <p>{text}</p>
            <ButtonLink to={to} {...(search && { search })} size="small">
              {action}
            </ButtonLink>
          </li>
        ))}
      </ul>
    </section>
  )
}
