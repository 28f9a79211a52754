import IconLock from '@tabler/icons-react/dist/esm/icons/IconLock.mjs'
import IconUsers from '@tabler/icons-react/dist/esm/icons/IconUsers.mjs'
import { useEffect, useState } from 'react'
import { number } from '../../../i18n/format.ts'
import { useT } from '../../../i18n/i18n.ts'
import { CopyButton } from '../../../ui/buttons/copy-button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { toasts } from '../../../ui/toasts/store.ts'
import { useMeeting, useRoom } from './meeting-context.ts'

/** Name of the meeting, time since joining, and number of people. */
export function TopBar({ name }: { name: string }) {
  const t = useT()
  const meeting = useMeeting()
  const { description, options, peers, knocks, panel } = useRoom()
  const address = window.location.origin + window.location.pathname
  return (
    <header className="stage-top">
      <Gate />
      <h1 className="truncate" title={description ?? undefined}>
        {name}
        {description && <span className="stage-about stage-wide">{description}</span>}
      </h1>
      {options.locked && (
        <span className="stage-chip stage-wide">
          <Icon of={IconLock} size="tiny" />
          {t('words.locked')}
        </span>
      )}
      {options.nomedia && <span className="stage-chip stage-wide">{t('meeting.nomedia')}</span>}
      <span className="spacer" />
      {knocks.length > 0 && panel === undefined && (
        <button
          type="button"
          className="stage-knocks"
          onClick={() => meeting.act({ type: 'panel', panel: 'people' })}
        >
          {t('meeting.waitingCount', { count: knocks.length })}
        </button>
      )}
      <Duration />
      <button
        type="button"
        className="stage-count"
        aria-label={t('meeting.participants', { count: peers.length })}
        aria-expanded={panel === 'people'}
        onClick={() => meeting.act({ type: 'panel', panel: panel === 'people' ? undefined : 'people' })}
      >
        <Icon of={IconUsers} size="small" />
        {number(peers.length)}
      </button>
      <span className="stage-wide">
        <CopyButton
          text={address}
          label={t('words.copyLink')}
          copied={t('words.copied')}
          size="small"
          onRefused={() => toasts.info(address)}
        />
      </span>
    </header>
  )
}

/** Time since joining. Not announced, as that would be disturbing. */
function Duration() {
  const [seconds, setSeconds] = useState(0)
  useEffect(() => {
    const begin = Date.now()
    const timer = setInterval(() => setSeconds(Math.floor((Date.now() - begin) / 1000)), 1000)
    return () => clearInterval(timer)
  }, [])
  const two = (value: number) => String(value).padStart(2, '0')
  const hours = Math.floor(seconds / 3600)
  const rest = `${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`
  return (
    <span className="small stage-time" aria-hidden="true">
      {hours > 0 ? `${hours}:${rest}` : rest}
    </span>
  )
}

function Gate() {
  return (
    <svg className="stage-gate" width="22" height="22" viewBox="0 0 24 24" fill="none" aria-hidden="true">
      <path d="M3 21V3h18v18" />
      <path d="M8 21v-7.5a4 4 0 0 1 8 0V21" />
    </svg>
  )
}
