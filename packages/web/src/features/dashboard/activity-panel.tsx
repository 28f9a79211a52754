import { displayAddress } from '@gatehouse/contract/canonical-address'
import type { Overview } from '@gatehouse/contract/overview'
import { useState } from 'react'
import { day, distance, toDate } from '../../i18n/format.ts'
import { useT } from '../../i18n/i18n.ts'
import { hasPermission } from '../../platform/session/auth.ts'
import { Link } from '../../router/link.tsx'
import { Panel } from '../../ui/page/panel.tsx'
import './activity-panel.css'

type Entry = Overview['activity'][number]

/** What happened last: to the account for who controls it, else to one's own sign-in. */
export function ActivityPanel({ entries, ownId }: { entries: readonly Entry[]; ownId: number }) {
  const t = useT()
  const [now] = useState(() => new Date())
  if (entries.length === 0) return null
  const isAccount = hasPermission('users')
  return (
    <div className="recent">
      <Panel
        title={t(isAccount ? 'dashboard.activity' : 'dashboard.signIns')}
        actions={<Link to={isAccount ? '/activity' : '/security'}>{t('dashboard.allActivity')}</Link>}
        flush
      >
        <ul>
          {entries.map((entry) => (
            <li key={entry.id}>
              <time dateTime={toDate(entry.lastAt ?? entry.createdAt).toISOString()}>
                {when(entry.lastAt ?? entry.createdAt, now)}
              </time>
              <Sentence entry={entry} ownId={ownId} />
            </li>
          ))}
        </ul>
      </Panel>
    </div>
  )
}

/** What happened, to what, and who did it. */
function Sentence({ entry, ownId }: { entry: Entry; ownId: number }) {
  const t = useT()
  const { title, object, actor, actorId, objectId, objectType } = entry
  // what somebody does to themselves names them once
  const isOwn = objectType === 'user' && actorId === objectId
  const name = object !== null && !isOwn ? displayAddress(object) : undefined
  const by =
    actorId === ownId ? t('dashboard.byYou') : actor && t('dashboard.by', { actor: displayAddress(actor) })
  return (
    <p>
      <span className="medium">{title}</span>
      {name && <span className="recent-object">{name}</span>}
      {by && <span className="text-3">{by}</span>}
    </p>
  )
}

const dayLong = 86_400_000

/** Today how long ago, else the day. */
function when(moment: string, now: Date): string {
  const at = toDate(moment)
  return now.getTime() - at.getTime() < dayLong ? distance(at, now) : day(at)
}
