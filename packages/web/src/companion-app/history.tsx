import type { Routes } from '@gatehouse/contract/routes'
import IconBan from '@tabler/icons-react/dist/esm/icons/IconBan.mjs'
import IconCircleCheck from '@tabler/icons-react/dist/esm/icons/IconCircleCheck.mjs'
import IconClock from '@tabler/icons-react/dist/esm/icons/IconClock.mjs'
import { useEffect, useState } from 'react'
import { moment } from '../i18n/format.ts'
import { useT } from '../i18n/i18n.ts'
import { Button } from '../ui/buttons/button.tsx'
import { Chip } from '../ui/facts/status-chip.tsx'
import { Panel } from '../ui/page/panel.tsx'
import { deviceCall } from './device-session.ts'
import { placeName } from './place-name.ts'
import { programName } from './program-name.ts'

type Attempt = Routes['GET /api/v4/auth-attempts']['ok'][number]

const pageSize = 10

export interface HistoryProps {
  /** Number of decisions made here. */
  decisions: number
  /** Nothing can be loaded right now. */
  isOffline: boolean
  /** Attempts the page currently prompts for. */
  waiting: readonly { id: string }[] | undefined
}

/** Addresses of sign-ins and attempts. */
export function History({ decisions, isOffline, waiting = [] }: HistoryProps) {
  const t = useT()
  const [list, setList] = useState<readonly Attempt[]>()
  const [isMore, setMore] = useState(false)
  const [readAt, setReadAt] = useState(0)

  // separate dependencies: a decision and the end of a wait in one render would cancel out in a sum
  const asked = waiting.map(({ id }) => id).join()
  // biome-ignore lint/correctness/useExhaustiveDependencies: reload on every change
  useEffect(() => {
    if (isOffline) return
    const ending = new AbortController()
    deviceCall('GET /api/v4/auth-attempts', { signal: ending.signal }).then(
      (found) => {
        setList(found)
        setReadAt(Date.now())
        setMore(found.length === pageSize)
      },
      () => {
        // keep showing the current list
      },
    )
    return () => ending.abort()
  }, [decisions, isOffline, asked])

  const readMore = async () => {
    const page = Math.floor((list?.length ?? 0) / pageSize) + 1
    const found = await deviceCall('GET /api/v4/auth-attempts', { query: { page } })
    const known = new Set(list?.map(({ id }) => id))
    setList([...(list ?? []), ...found.filter(({ id }) => !known.has(id))])
    setMore(found.length === pageSize)
  }

  const shown = list?.filter(({ id }) => !waiting.some((attempt) => attempt.id === id)) ?? []
  if (shown.length === 0) return null
  return (
    <Panel title={t('companionapp.history')} flush>
      <ul className="companion-history">
        {shown.map((attempt) => (
          <li key={attempt.id}>
            <div>
              <b>{placeName(attempt)}</b>
              <span>
                {programName(attempt.userAgent) || attempt.service} · {moment(attempt.last_seen)}
              </span>
            </div>
            <State attempt={attempt} now={readAt} />
          </li>
        ))}
      </ul>
      {isMore && (
        <div className="companion-more">
          <Button onPress={readMore}>{t('companionapp.more')}</Button>
        </div>
      )}
    </Panel>
  )
}

/** The status of an address; an expired decision no longer counts. */
function State({ attempt, now }: { attempt: Attempt; now: number }) {
  const t = useT()
  const isOver = attempt.expires_at === null || Date.parse(attempt.expires_at) <= now
  if (attempt.status === 'ACCEPTED' && !isOver && attempt.expires_at) {
    return (
      <Chip tone="success" icon={IconCircleCheck}>
        {t('companionapp.until', { time: moment(attempt.expires_at) })}
      </Chip>
    )
  }
  if (attempt.status === 'DENIED') {
    return (
      <Chip tone={isOver ? 'muted' : 'danger'} icon={IconBan}>
        {t('companionapp.wasDenied')}
      </Chip>
    )
  }
  return (
    <Chip tone="muted" icon={IconClock}>
      {t(attempt.status === 'ACCEPTED' ? 'companionapp.over' : 'companionapp.unanswered')}
    </Chip>
  )
}
