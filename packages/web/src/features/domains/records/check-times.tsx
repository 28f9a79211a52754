import type { DnsReport } from '@gatehouse/contract/directory/domains'
import { distance, moment, toDate } from '../../../i18n/format.ts'
import { useT } from '../../../i18n/i18n.ts'
import { useNow } from '../../../state/use-now.ts'

/** When the records were last checked, and when the next automatic check is due. */
export function CheckTimes({ report: { checkedAt, nextCheckAt } }: { report: DnsReport }) {
  const t = useT()
  const now = useNow()
  const isDue = nextCheckAt !== null && toDate(nextCheckAt) <= now
  return (
    <>
      {checkedAt ? (
        <time dateTime={toDate(checkedAt).toISOString()} title={moment(checkedAt)}>
          {t('domains.checkedAt', { time: distance(checkedAt, now) })}
        </time>
      ) : (
        t('domains.neverChecked')
      )}
      {nextCheckAt && ' · '}
      {nextCheckAt && (
        <time dateTime={toDate(nextCheckAt).toISOString()} title={moment(nextCheckAt)}>
          {isDue ? t('domains.nextSoon') : t('domains.nextCheck', { time: distance(nextCheckAt, now) })}
        </time>
      )}
    </>
  )
}
