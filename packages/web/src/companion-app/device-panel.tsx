import { useState } from 'react'
import { useT } from '../i18n/i18n.ts'
import { errorText, reportError } from '../platform/api/report-error.ts'
import { Button } from '../ui/buttons/button.tsx'
import { Dialog } from '../ui/dialog/dialog.tsx'
import { Facts } from '../ui/facts/facts.tsx'
import { Note } from '../ui/page/note.tsx'
import { Panel } from '../ui/page/panel.tsx'
import { toasts } from '../ui/toasts/store.ts'
import { deviceCall, dropSession } from './device-session.ts'
import type { Device } from './home.tsx'
import { canPush, turnPushOff, turnPushOn } from './push.ts'

/** The device: its name, push notifications, and unpairing. */
export function DevicePanel({ device, onChanged }: { device: Device; onChanged: () => void }) {
  const t = useT()
  const [isAsking, setAsking] = useState(false)

  const unpair = async () => {
    try {
      const { message } = await deviceCall('POST /api/v4/companion/unpair')
      toasts.success(message)
      dropSession()
    } catch (error) {
      reportError(error)
    }
  }

  return (
    <Panel
      title={t('companionapp.device')}
      footer={
        <Button variant="danger-outline" onPress={() => setAsking(true)}>
          {t('companionapp.unpair')}
        </Button>
      }
    >
      <div className="stack">
        <Facts
          facts={[
            { label: t('companionapp.deviceName'), value: device.name },
            { label: t('companionapp.account'), value: device.username },
          ]}
        />
        {device.isRecovery && <Note>{t('companionapp.recovery')}</Note>}
        {!device.isRecovery && <PushSwitch device={device} onChanged={onChanged} />}
      </div>
      <Dialog
        open={isAsking}
        title={t('companionapp.unpairTitle', { name: device.name })}
        onClose={() => setAsking(false)}
        cancelFocus
        actions={
          device.isKept ? [] : [{ preset: 'delete', label: t('companionapp.unpair'), onPress: unpair }]
        }
      >
        <p>{t(unpairText(device))}</p>
      </Dialog>
    </Panel>
  )
}

function unpairText({ isKept, isLast }: Device) {
  if (isKept) return 'companionapp.unpairKept'
  return isLast ? 'companionapp.unpairLast' : 'companionapp.unpairText'
}

function PushSwitch({ device, onChanged }: { device: Device; onChanged: () => void }) {
  const t = useT()
  if (!canPush()) return <Note>{t('companionapp.noPush')}</Note>

  const turn = async () => {
    try {
      if (device.hasPush) await turnPushOff()
      else if (!(await turnPushOn(device.pushKey))) toasts.warning(t('companionapp.pushRefused'))
      onChanged()
    } catch (error) {
      toasts.error(error instanceof DOMException ? t('companionapp.pushRefused') : errorText(error))
    }
  }

  return (
    <div className="row wrap">
      <p className="companion-push">{t(device.hasPush ? 'companionapp.pushOn' : 'companionapp.pushOff')}</p>
      <Button onPress={turn}>{t(device.hasPush ? 'companionapp.turnOff' : 'companionapp.turnOn')}</Button>
    </div>
  )
}
