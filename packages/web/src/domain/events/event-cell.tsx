import type { AuditEvent } from '@gatehouse/contract/events'
import type { ReactNode } from 'react'
import { useT } from '../../i18n/i18n.ts'
import { useUser } from '../../platform/session/auth.ts'
import { changesIn, type FieldChange } from './event-changes.ts'
import { type SentencePart, sentenceOf } from './event-sentence.ts'
import { commentWords, fieldLabel, fieldOrder, type SkuNames, valueWords } from './event-words.ts'
import { accessWords, isAccessEvent } from './sign-in-words.ts'
import { ToldEventLine } from './told-event.tsx'
import './events.css'

/** Changes shown in the row; the rest is collapsed. */
const shownAtOnce = 4

export interface EventCellProps {
  event: AuditEvent
  skuNames: SkuNames
  /** The actor's name filters the activity by that person. */
  narrows?: boolean
  /** A line below the sentence. */
  children?: ReactNode
}

/** What happened, and the changes: before and after. */
export function EventCell({ event, skuNames, narrows, children }: EventCellProps) {
  const t = useT()
  const sentence = sentenceOf(event, useUser()?.id, skuNames)
  const isAccess = isAccessEvent(event.event)
  const all = changesIn(isAccess ? null : event.data, fieldOrder, (field, value, count) =>
    valueWords(field, value, skuNames, count, currencyOf(event)),
  )
  const changes = all.filter((change) => !isTold(change, sentence))
  const access = isAccess ? accessWords(event.data) : undefined
  // Don't collapse a single line.
  const isLong = changes.length > shownAtOnce + 1
  const rest = isLong ? changes.slice(shownAtOnce) : []
  return (
    <div className="event">
      <ToldEventLine event={event} sentence={sentence} narrows={narrows} />
      {children}
      {access && <span className="small text-2">{access}</span>}
      {event.comment && <span className="small text-2">{commentWords(event.comment)}</span>}
      <Changes changes={isLong ? changes.slice(0, shownAtOnce) : changes} />
      {rest.length > 0 && (
        <details className="small">
          <summary>{t('events.more', { count: rest.length })}</summary>
          <Changes changes={rest} />
        </details>
      )}
    </div>
  )
}

/** Whether a change only repeats a name that is in the sentence. */
function isTold({ before, after }: FieldChange, sentence: readonly SentencePart[]): boolean {
  if (before !== '' && after !== '') return false
  return sentence.some(({ kind, text }) => kind !== 'text' && text === (before || after))
}

/** Returns the currency of an event about money. */
function currencyOf({ data }: AuditEvent): string | undefined {
  return typeof data?.currency === 'string' ? data.currency : undefined
}

function Changes({ changes }: { changes: readonly FieldChange[] }) {
  const t = useT()
  if (changes.length === 0) return null
  return (
    <ul className="small text-2">
      {changes.map(({ field, before, after }) => (
        <li key={field}>
          {t('events.changeOf', { field: fieldLabel(field) })} {before && <del>{before}</del>}
          {before && after && ' → '}
          {after && <ins>{after}</ins>}
        </li>
      ))}
    </ul>
  )
}
