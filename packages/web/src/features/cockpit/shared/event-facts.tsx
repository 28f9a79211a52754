import type { LogEntry } from '@gatehouse/contract/staff'
import { useSkuNames } from '../../../app/sku-names.ts'
import { useT } from '../../../i18n/i18n.ts'
import { changesIn, factFields } from '../../../ui/events/event-changes.ts'
import { fieldLabel, fieldOrder, valueWords } from '../../../ui/events/event-words.ts'
import { isAccessEvent, otherFacts } from '../../../ui/events/sign-in-words.ts'
import '../../../ui/events/events.css'

/** Whether an entry says more than its row. */
export function hasMore({ data, ip }: LogEntry): boolean {
  return ip !== null || (data !== null && Object.keys(data).length > 0)
}

/** Everything that is written down about an event: changes in words, the rest as it is. */
export function EventFacts({ entry }: { entry: LogEntry }) {
  const t = useT()
  const skuNames = useSkuNames()
  const { ip, kind } = entry
  const data = isAccessEvent(kind) ? otherFacts(entry.data ?? {}) : entry.data
  const changes = changesIn(data, fieldOrder, (field, value, count) =>
    valueWords(field, value, skuNames, count),
  )
  const rest = restOf(data)
  return (
    <div className="stack stack-tight small">
      {changes.length > 0 && (
        <ul className="text-2 event">
          {changes.map(({ field, before, after }) => (
            <li key={field}>
              {t('events.changeOf', { field: fieldLabel(field) })} {before && <del>{before}</del>}
              {before && after && ' → '}
              {after && <ins>{after}</ins>}
            </li>
          ))}
        </ul>
      )}
      {rest !== undefined && <pre className="cockpit-data">{JSON.stringify(rest, null, 2)}</pre>}
      {ip && <span className="text-3">{t('customer.fromAddress', { ip })}</span>}
    </div>
  )
}

/** The facts that are no change of a field. */
function restOf(data: LogEntry['data']): Record<string, unknown> | undefined {
  const { before: _before, after: _after, ...facts } = data ?? {}
  const rest = Object.entries(facts).filter(([name]) => !factFields.includes(name))
  return rest.length > 0 ? Object.fromEntries(rest) : undefined
}
