import type { DeviceSetup } from '@gatehouse/contract/mail/device-setup'
import IconDownload from '@tabler/icons-react/dist/esm/icons/IconDownload.mjs'
import type { ReactNode } from 'react'
import type { MessageKey } from '../../i18n/areas.ts'
import { useT } from '../../i18n/i18n.ts'
import { ButtonLink } from '../../ui/buttons/button.tsx'
import { Panel } from '../../ui/page/panel.tsx'

interface StepsProps {
  setup: DeviceSetup
}

/** iPhone, iPad and Mac: a profile enters everything but the password. */
export function AppleSteps({ setup: { profile, isProfileSigned } }: StepsProps) {
  const t = useT()
  return (
    <Panel title={t('devices.apple')}>
      <div className="device-steps">
        <div className="stack">
          <Steps keys={['devices.apple1', 'devices.apple2', 'devices.apple3', 'devices.apple4']} />
          {!isProfileSigned && <p className="small text-3">{t('devices.notSigned')}</p>}
          <div>
            <ButtonLink to={profile.url} icon={IconDownload}>
              {t('devices.profile')}
            </ButtonLink>
          </div>
        </div>
        <Picture src={profile.qrcode} name={t('devices.profilePicture')} />
      </div>
    </Panel>
  )
}

export function AndroidSteps({ setup: { page } }: StepsProps) {
  const t = useT()
  return (
    <Panel title={t('devices.android')}>
      <div className="device-steps">
        <Steps keys={['devices.android1', 'devices.android2', 'devices.android3', 'devices.android4']} />
        <Picture src={page.qrcode} name={t('devices.pagePicture')} />
      </div>
    </Panel>
  )
}

export function ThunderbirdSteps({ setup: { dav } }: StepsProps) {
  const t = useT()
  const keys: MessageKey[] = ['devices.thunderbird1', 'devices.thunderbird2', 'devices.thunderbird3']
  return (
    <Panel title={t('devices.thunderbird')}>
      <Steps keys={dav === null ? keys : [...keys, 'devices.thunderbird4']} />
    </Panel>
  )
}

export function OutlookSteps({ setup: { activeSync } }: StepsProps) {
  const t = useT()
  const keys: MessageKey[] = ['devices.outlook1', 'devices.outlook2', 'devices.outlook3']
  return (
    <Panel title={t('devices.outlook')}>
      <Steps keys={activeSync === null ? keys : [...keys, 'devices.outlook4']} />
    </Panel>
  )
}

function Steps({ keys }: { keys: readonly MessageKey[] }): ReactNode {
  const t = useT()
  return (
    <ol className="device-list">
      {keys.map((key) => (
        <li key={key}>{t(key)}</li>
      ))}
    </ol>
  )
}

/** A code to scan with the phone's camera, on white in both colour schemes. */
function Picture({ src, name }: { src: string; name: string }) {
  return (
    <figure className="device-code">
      <img src={src} alt={name} width="160" height="160" />
      <figcaption className="small text-3">{name}</figcaption>
    </figure>
  )
}
