import type { Overview } from '@gatehouse/contract/overview'
import IconClock from '@tabler/icons-react/dist/esm/icons/IconClock.mjs'
import { useId, useState } from 'react'
import { sentenceOf } from '../../domain/events/event-sentence.ts'
import { ToldEventLine } from '../../domain/events/told-event.tsx'
import { day, distance, toDate } from '../../i18n/format.ts'
import { useT } from '../../i18n/i18n.ts'
import { hasPermission } from '../../platform/session/auth.ts'
import { Link } from '../../router/link.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Skeleton } from '../../ui/page/skeleton.tsx'
import './recent-activity.css'

type Entry = Overview['activity'][number]

/** Recent activity: of the account for those who control it, otherwise of the user's own sign-in. */
export function RecentActivity({ entries, ownId }: { entries: readonly Entry[] | undefined; ownId: number }) {
  const t = useT()
  const titleId = useId()
  const [now] = useState(() => new Date())
  const isAccount = hasPermission('users')
  return (
    <section className="recent" aria-labelledby={titleId}>
      <header>
        <h2 id={titleId}>
          <Icon of={IconClock} />
          {t(isAccount ? 'dashboard.activity' : 'dashboard.signIns')}
        </h2>
        <Link to={isAccount ? '/activity' : '/security'}>{t('dashboard.allActivity')}</Link>
      </header>
      {entries === undefined && <Waiting />}
      {entries?.length === 0 && <p className="small text-3">{t('words.nothingHasHappenedYet')}</p>}
      <ul>
        {entries?.map((entry) => (
          <li key={entry.id}>
            <time dateTime={toDate(entry.lastAt ?? entry.createdAt).toISOString()}>
              {when(entry.lastAt ?? entry.createdAt, now)}
            </time>
            <p>
              <ToldEventLine event={entry} sentence={sentenceOf(entry, ownId, {})} />
            </p>
          </li>
        ))}
      </ul>
    </section>
  )
}

function Waiting() {
  return (
    <div className="recent-waiting">
      {['58%', '44%', '66%', '50%', '62%'].map((width) => (
        <Skeleton key={width} width={width} height={12} />
      ))}
    </div>
  )
}

const dayLong = 86_400_000

/** Relative time for today, otherwise the day. */
function when(moment: string, now: Date): string {
  const at = toDate(moment)
  return now.getTime() - at.getTime() < dayLong ? distance(at, now) : day(at)
}
