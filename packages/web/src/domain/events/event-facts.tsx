import type { AuditEvent } from '@gatehouse/contract/events'
import { moment } from '../../i18n/format.ts'
import { useT } from '../../i18n/i18n.ts'
import { isByUnknown } from './sign-in-words.ts'

type Source = Pick<AuditEvent, 'ip' | 'times'> & { event: string }

/** The address or network of an event's origin. */
export function EventSource({ source: { ip, times = 1, event } }: { source: Source }) {
  const t = useT()
  const words = ip ?? (times > 1 && isByUnknown(event) ? t('events.manyNetworks') : undefined)
  return words === undefined ? null : <span className="event-ip">{words}</span>
}

/** The time of an event; a range if the entry covers several. */
export function EventTime({
  event: { createdAt, lastAt },
}: {
  event: Pick<AuditEvent, 'createdAt' | 'lastAt'>
}) {
  const t = useT()
  const first = moment(createdAt)
  const last = lastAt && moment(lastAt)
  return (
    <span className="text-3 nowrap">
      {first}
      {last && last !== first && <span className="event-until">{t('events.until', { moment: last })}</span>}
    </span>
  )
}
