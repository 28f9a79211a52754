import type { Routes } from '@gatehouse/contract/routes'
import IconDeviceMobileCheck from '@tabler/icons-react/dist/esm/icons/IconDeviceMobileCheck.mjs'
import { useCallback, useEffect, useState } from 'react'
import { useT } from '../i18n/i18n.ts'
import { Icon } from '../ui/icon.tsx'
import { Note } from '../ui/page/note.tsx'
import { DevicePanel } from './device-panel.tsx'
import { deviceCall } from './device-session.ts'
import { History } from './history.tsx'
import { PromptCard } from './prompt-card.tsx'
import { useWaiting } from './use-waiting.ts'

export type Device = Routes['GET /api/v4/companion']['ok']

/** The home of a paired device: pending sign-ins, previous ones, and the device. */
export function Home() {
  const t = useT()
  const { list, isOffline, refresh } = useWaiting()
  const [device, setDevice] = useState<Device>()
  const [decided, setDecided] = useState<'confirmed' | 'denied'>()
  const [decisions, setDecisions] = useState(0)

  const readDevice = useCallback(() => {
    deviceCall('GET /api/v4/companion').then(setDevice, () => {
      // the page also works without this response
    })
  }, [])
  // back online, retry what failed while offline
  useEffect(() => {
    if (!isOffline) readDevice()
  }, [isOffline, readDevice])

  const onDecided = (how: 'confirmed' | 'denied') => {
    setDecided(how)
    setDecisions((count) => count + 1)
    refresh()
  }

  return (
    <>
      {isOffline && (
        <Note tone="warning" live title={t('companionapp.offline')}>
          {t('companionapp.offlineText')}
        </Note>
      )}
      <section
        className="stack"
        aria-live="polite"
        aria-busy={(list === undefined && !isOffline) || undefined}
      >
        <h1>{t('companionapp.waiting')}</h1>
        {list?.map((attempt) => (
          <PromptCard
            key={attempt.id}
            attempt={attempt}
            username={device?.username ?? ''}
            onDecided={onDecided}
          />
        ))}
        {list?.length === 0 && <Quiet decided={decided} />}
      </section>
      <History waiting={list} decisions={decisions} isOffline={isOffline} />
      {device && <DevicePanel device={device} onChanged={readDevice} />}
    </>
  )
}

/** Nothing is pending; shows the last decision. */
function Quiet({ decided }: { decided: 'confirmed' | 'denied' | undefined }) {
  const t = useT()
  if (decided === 'confirmed') return <Note tone="success">{t('companionapp.confirmed')}</Note>
  if (decided === 'denied') {
    return (
      <Note tone="warning" title={t('companionapp.denied')}>
        {t('companionapp.deniedText')} <a href="/security">{t('companionapp.toPortal')}</a>
      </Note>
    )
  }
  return (
    <div className="companion-quiet">
      <Icon of={IconDeviceMobileCheck} />
      <p>{t('companionapp.nothing')}</p>
    </div>
  )
}
