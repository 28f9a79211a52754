import type { LogEntry } from '@gatehouse/contract/staff/staff-views'
import { useT } from '../../i18n/i18n.ts'
import { useSkuNames } from '../subscriptions/sku-names.ts'
import { changesIn, factFields } from './event-changes.ts'
import { fieldLabel, fieldOrder, valueWords } from './event-words.ts'
import { isAccessEvent, otherFacts } from './sign-in-words.ts'
import './events.css'

/** Whether an entry has more details than its row shows. */
export function hasMore({ data, ip }: LogEntry): boolean {
  return ip !== null || (data !== null && Object.keys(data).length > 0)
}

/** All details of an event: changes in words, the rest as is. */
export function EventFacts({ entry, currency }: { entry: LogEntry; currency: string | undefined }) {
  const t = useT()
  const skuNames = useSkuNames()
  const { ip, kind } = entry
  const data = isAccessEvent(kind) ? otherFacts(entry.data ?? {}) : offerFacts(entry)
  const changes = changesIn(data, fieldOrder, (field, value, count) =>
    valueWords(field, value, skuNames, count, currency),
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
      {rest !== undefined && <pre className="event-data">{JSON.stringify(rest, null, 2)}</pre>}
      {ip && <span className="text-3">{t('events.fromAddress', { ip })}</span>}
    </div>
  )
}

/** Treats facts of tenant events as fields: the plan concerned, or the number of tokens. */
function offerFacts({ kind, data }: LogEntry): LogEntry['data'] {
  if (data === null || !kind.startsWith('tenant.')) return data
  const { before, after, ...facts } = data
  return { before, after: { ...facts, ...(typeof after === 'object' ? after : {}) } }
}

/** Returns the facts that aren't field changes. */
function restOf(data: LogEntry['data']): Record<string, unknown> | undefined {
  const { before: _before, after: _after, ...facts } = data ?? {}
  const rest = Object.entries(facts).filter(([name]) => !factFields.includes(name))
  return rest.length > 0 ? Object.fromEntries(rest) : undefined
}
