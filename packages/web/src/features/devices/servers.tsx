import type { DeviceSetup, SetupServer } from '@gatehouse/contract/mail/device-setup'
import { useT } from '../../i18n/i18n.ts'
import { CopyValue } from '../../ui/buttons/copy-value.tsx'
import { type Fact, Facts } from '../../ui/facts/facts.tsx'
import { Panel } from '../../ui/page/panel.tsx'

/** The settings for programs that ask for each of them. */
export function Servers({ setup }: { setup: DeviceSetup }) {
  const t = useT()
  const { imap, pop3, smtp, dav, activeSync } = setup
  const server = (label: string, at: SetupServer): Fact => ({
    label,
    value: <Server label={label} server={at} />,
  })
  const address = (label: string, url: string): Fact => ({
    label,
    value: <CopyValue text={url} label={label} />,
  })
  const facts = [
    server(t('devices.incoming'), imap),
    ...(pop3 === null ? [] : [server(t('devices.pop3'), pop3)]),
    server(t('devices.outgoing'), smtp),
    ...(dav === null ? [] : [address(t('devices.dav'), dav)]),
    ...(activeSync === null ? [] : [address('ActiveSync', activeSync)]),
  ]
  return (
    <Panel title={t('devices.servers')} footer={<p>{t('devices.serversText')}</p>}>
      <Facts facts={facts} />
    </Panel>
  )
}

const encryptions = {
  ssl: 'devices.ssl',
  tls: 'devices.tls',
  plain: 'devices.plain',
} as const

function Server({ label, server: { host, port, encryption } }: { label: string; server: SetupServer }) {
  const t = useT()
  return (
    <span className="device-server">
      <CopyValue text={host} label={label} />
      <span className="text-2">{t('devices.port', { port: String(port) })}</span>
      <span className="text-2">{t(encryptions[encryption])}</span>
    </span>
  )
}
