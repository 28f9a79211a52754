import type { DnsReport } from '@gatehouse/contract/directory/domains'
import { useEffect, useState } from 'react'
import { distance, moment, toDate } from '../../../i18n/format.ts'
import { useT } from '../../../i18n/i18n.ts'

const tick = 10_000

/** When somebody looked last, and when we look again by ourselves. */
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

/** The time, often enough for words such as "a minute ago". */
function useNow(): Date {
  const [now, setNow] = useState(() => new Date())
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), tick)
    return () => clearInterval(timer)
  }, [])
  return now
}
