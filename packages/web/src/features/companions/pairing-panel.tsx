import { displayAddress } from '@gatehouse/contract/canonical-address'
import type { CompanionDetail, Pairing } from '@gatehouse/contract/sessions/companions'
import IconPrinter from '@tabler/icons-react/dist/esm/icons/IconPrinter.mjs'
import IconQrcode from '@tabler/icons-react/dist/esm/icons/IconQrcode.mjs'
import { useEffect, useState } from 'react'
import { day } from '../../i18n/format.ts'
import { useT } from '../../i18n/i18n.ts'
import { call } from '../../platform/api/api.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { CopyValue } from '../../ui/buttons/copy-value.tsx'
import { Note } from '../../ui/page/note.tsx'
import { Panel } from '../../ui/page/panel.tsx'

/** Pairs a device by QR code, link or typed code. Each is created on demand. */
export function PairingPanel({ device }: { device: CompanionDetail }) {
  const t = useT()
  const [pairing, setPairing] = useState<Pairing>()
  const isOver = useIsOver(pairing?.expiresAt)

  const make = async () => {
    setPairing(await call('GET /api/v4/companions/{id}/pairing', { params: { id: device.id } }))
  }

  const title = t(device.isRecovery ? 'companions.sheet' : 'companions.pair')
  if (pairing === undefined || isOver) {
    return (
      <Panel title={title}>
        <div className="stack">
          {isOver && (
            <Note tone="warning" live>
              {t('companions.codeOver')}
            </Note>
          )}
          <p>{t(device.isRecovery ? 'companions.sheetText' : 'companions.pairText')}</p>
          {device.isRecovery && device.pairing && (
            <Note>
              {t('companions.sheetThere', {
                from: day(device.pairing.created_at),
                until: day(device.pairing.expires_at),
              })}
            </Note>
          )}
          <div>
            <Button variant="primary" icon={IconQrcode} onPress={make}>
              {t(device.isRecovery ? 'companions.makeSheet' : 'companions.makeCode')}
            </Button>
          </div>
        </div>
      </Panel>
    )
  }
  return (
    <Panel
      title={title}
      actions={
        <Button icon={IconPrinter} onPress={() => window.print()}>
          {t('words.print')}
        </Button>
      }
    >
      <PairingSheet device={device} pairing={pairing} />
    </Panel>
  )
}

function PairingSheet({ device, pairing }: { device: CompanionDetail; pairing: Pairing }) {
  const t = useT()
  return (
    <div className="companions-pairing">
      <figure>
        <img src={pairing.linkQrcode} width={240} height={240} alt={t('companions.qrAlt')} />
        <figcaption>{t('companions.scan')}</figcaption>
      </figure>
      <div className="stack">
        <dl className="companions-ways">
          <div>
            <dt>{t('companions.link')}</dt>
            <dd>
              <CopyValue text={pairing.link} label={t('companions.link')} boxed />
            </dd>
          </div>
          <div>
            <dt>{t('companions.code', { address: `${pairing.serverUrl}/companion-app` })}</dt>
            <dd>
              <CopyValue text={pairing.code} label={t('words.code')} boxed />
            </dd>
          </div>
        </dl>
        {device.isRecovery ? (
          <Note title={t('companions.keepSafe')}>
            {t('companions.keepSafeText', {
              until: day(pairing.expiresAt),
              email: displayAddress(pairing.username),
            })}
          </Note>
        ) : (
          <p className="text-2">{t('companions.waits')}</p>
        )}
        <details className="companions-native">
          <summary>{t('companions.native')}</summary>
          <img src={pairing.qrcode} width={220} height={220} alt={t('companions.nativeAlt')} />
        </details>
      </div>
    </div>
  )
}

/** Whether a moment has passed, by the local clock. */
function useIsOver(moment: string | undefined): boolean {
  const [over, setOver] = useState<string>()
  useEffect(() => {
    if (moment === undefined) return
    const left = Date.parse(moment) - Date.now()
    // longer than a timer supports, and longer than a page stays open
    if (left > 2 ** 31 - 1) return
    const timer = setTimeout(() => setOver(moment), Math.max(0, left))
    return () => clearTimeout(timer)
  }, [moment])
  return moment !== undefined && over === moment
}
