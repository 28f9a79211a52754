import type { CompanionDetail } from '@gatehouse/contract/sessions/companions'
import IconCircleCheck from '@tabler/icons-react/dist/esm/icons/IconCircleCheck.mjs'
import IconClock from '@tabler/icons-react/dist/esm/icons/IconClock.mjs'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import { useState } from 'react'
import { ObjectLoader } from '../../domain/directory/object-loader.tsx'
import { moment } from '../../i18n/format.ts'
import { useT } from '../../i18n/i18n.ts'
import { useApi } from '../../platform/api/query.tsx'
import { useAct } from '../../platform/api/use-act.ts'
import { useNavigate, useParams } from '../../router/router-context.tsx'
import { Button } from '../../ui/buttons/button.tsx'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { Facts } from '../../ui/facts/facts.tsx'
import { Chip } from '../../ui/facts/status-chip.tsx'
import { Note } from '../../ui/page/note.tsx'
import { PageHead } from '../../ui/page/page-head.tsx'
import { Panel } from '../../ui/page/panel.tsx'
import { PairingPanel } from './pairing-panel.tsx'
import './companions.css'

/** Polling interval for the pairing, in milliseconds. */
const look = 2000

/** A device: pairing, details and removal. */
export function CompanionPage() {
  // Parameters are untyped without registered routes.
  const params = useParams()
  const id = params.companion ?? ''
  const query = useApi(
    'GET /api/v4/companions/{id}',
    { params: { id } },
    { refetchInterval: ({ state }) => (state.data && !state.data.statusInfo.isReady ? look : false) },
  )
  return (
    <ObjectLoader key={id} query={query}>
      {(device) => <DeviceScreen device={device} />}
    </ObjectLoader>
  )
}

function DeviceScreen({ device }: { device: CompanionDetail }) {
  const t = useT()
  const [isAsking, setAsking] = useState(false)
  const { isReady } = device.statusInfo
  // the user is watching the pairing, so confirm its success
  const [wasUnpaired] = useState(!isReady)

  return (
    <>
      <PageHead
        title={device.name}
        trail={[{ label: t('words.companionApp'), to: '/companions' }]}
        status={
          isReady ? (
            <Chip tone="success" icon={IconCircleCheck}>
              {t('companions.paired')}
            </Chip>
          ) : (
            <Chip tone="muted" icon={IconClock}>
              {t('companions.unpaired')}
            </Chip>
          )
        }
        facts={t(device.isRecovery ? 'words.recoveryDevice' : 'companions.everyday')}
        actions={
          <Button variant="danger-outline" icon={IconTrash} onPress={() => setAsking(true)}>
            {t('words.remove')}
          </Button>
        }
      />
      <div className="companions-page">
        {isReady && wasUnpaired && (
          <Note tone="success" live title={t('companions.nowPaired')}>
            {t('companions.nowPairedText')}
          </Note>
        )}
        {isReady ? <Paired device={device} /> : <PairingPanel device={device} />}
      </div>
      <RemoveDialog device={device} open={isAsking} onClose={() => setAsking(false)} />
    </>
  )
}

function Paired({ device }: { device: CompanionDetail }) {
  const t = useT()
  return (
    <Panel title={t('words.device')}>
      <Facts
        facts={[
          { label: t('companions.deviceId'), value: <code>{device.device_id}</code> },
          { label: t('companions.pairedAt'), value: device.paired_at ? moment(device.paired_at) : '–' },
          {
            label: t('companions.used'),
            value: device.last_used_at ? moment(device.last_used_at) : t('words.never'),
          },
          {
            label: t('companions.push'),
            value: t(device.hasPush ? 'companions.pushOn' : 'companions.pushOff'),
          },
        ]}
      />
    </Panel>
  )
}

interface RemoveProps {
  device: CompanionDetail
  open: boolean
  onClose: () => void
}

function RemoveDialog({ device, open, onClose }: RemoveProps) {
  const t = useT()
  const act = useAct('DELETE /api/v4/companions/{id}', ['GET /api/v4/companions'])
  const navigate = useNavigate()
  const remove = async () => {
    await act({ params: { id: device.id } })
    await navigate({ to: '/companions' })
  }
  if (device.isKept) {
    return (
      <Dialog open={open} title={t('companions.keptTitle', { name: device.name })} onClose={onClose}>
        <p>{t('companions.keptText')}</p>
      </Dialog>
    )
  }
  return (
    <Dialog
      open={open}
      title={t('companions.removeTitle', { name: device.name })}
      onClose={onClose}
      cancelFocus
      actions={[{ preset: 'delete', label: t('words.remove'), onPress: remove }]}
    >
      <p>{t(device.statusInfo.isReady ? 'companions.removeText' : 'companions.removeUnpaired')}</p>
      {device.isLast && (
        <Note tone="warning" title={t('companions.removeLast')}>
          {t('companions.removeLastText')}
        </Note>
      )}
    </Dialog>
  )
}
