import { displayAddress } from '@gatehouse/contract/canonical-address'
import IconUserShield from '@tabler/icons-react/dist/esm/icons/IconUserShield.mjs'
import { useEffect, useEffectEvent, useState } from 'react'
import { toDate } from '../../i18n/format.ts'
import { type Translate, useT } from '../../i18n/i18n.ts'
import { useUser } from '../../platform/session/auth.ts'
import { logout } from '../../platform/session/session.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import './impersonation-banner.css'

/** Shows who is impersonating whom, why and for how long, with the button to stop. */
export function ImpersonationBanner() {
  const t = useT()
  const user = useUser()
  const by = user?.impersonatedBy
  const left = useSecondsLeft(by?.until)
  if (!user || !by) return null
  return (
    <aside className="impersonation" aria-label={t('impersonation.label')}>
      <div className="page">
        <Icon of={IconUserShield} />
        <p>
          <b>
            {t('impersonation.title', {
              staff: displayAddress(by.email),
              user: displayAddress(user.email),
            })}
          </b>{' '}
          {t('impersonation.reason', { reason: by.reason })}
        </p>
        <span className="nowrap">{timeLeft(t, left)}</span>
        <Button size="small" onPress={() => logout()}>
          {t('impersonation.end')}
        </Button>
      </div>
    </aside>
  )
}

/** Returns the whole seconds until a server time; at zero the session ends here too. */
function useSecondsLeft(until: string | undefined): number {
  const [now, setNow] = useState(() => Date.now())
  const left = until === undefined ? 0 : Math.max(0, Math.ceil((toDate(until).getTime() - now) / 1000))
  const isOver = until !== undefined && left === 0
  const leave = useEffectEvent(() => void logout())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [])
  useEffect(() => {
    if (isOver) leave()
  }, [isOver])
  return left
}

function timeLeft(t: Translate, seconds: number): string {
  if (seconds <= 90) return t('impersonation.seconds', { count: seconds })
  return t('impersonation.minutes', { count: Math.ceil(seconds / 60) })
}
