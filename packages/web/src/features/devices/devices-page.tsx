import type { DeviceSetup } from '@gatehouse/contract/mail/device-setup'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import { useState } from 'react'
import { MakeDialog } from '../../domain/app-passwords/make-dialog.tsx'
import { MailConnectionNote } from '../../domain/mail-connection/mail-not-connected.tsx'
import { useT } from '../../i18n/i18n.ts'
import { useApi } from '../../platform/api/query.tsx'
import { Button } from '../../ui/buttons/button.tsx'
import { CopyValue } from '../../ui/buttons/copy-value.tsx'
import { FormSkeleton } from '../../ui/form/form-skeleton.tsx'
import { LoadFailed } from '../../ui/page/load-failed.tsx'
import { PageHead } from '../../ui/page/page-head.tsx'
import { Panel } from '../../ui/page/panel.tsx'
import { Tabs } from '../../ui/page/tabs.tsx'
import { AddressBook } from './address-book.tsx'
import { AndroidSteps, AppleSteps, OutlookSteps, ThunderbirdSteps } from './device-steps.tsx'
import { Servers } from './servers.tsx'
import './devices.css'

/** How phones and mail programs of the reader are set up. */
export function DevicesPage() {
  const t = useT()
  const setup = useApi('GET /api/v4/device-setup')
  return (
    <>
      <PageHead
        title={t('words.setUpDevices')}
        facts={t('devices.facts')}
        trail={[{ label: t('words.mail'), to: '/mail' }]}
      />
      <div className="stack devices">
        <MailConnectionNote />
        {setup.data && <Loaded setup={setup.data} />}
        {setup.isPending && <FormSkeleton />}
        {setup.isError && !setup.data && <LoadFailed onRetry={setup.refetch} />}
      </div>
    </>
  )
}

function Loaded({ setup }: { setup: DeviceSetup }) {
  const t = useT()
  return (
    <>
      <SignIn username={setup.username} />
      <Tabs
        label={t('devices.kinds')}
        tabs={[
          { name: 'apple', label: t('devices.apple'), content: () => <AppleSteps setup={setup} /> },
          { name: 'android', label: t('devices.android'), content: () => <AndroidSteps setup={setup} /> },
          {
            name: 'thunderbird',
            label: t('devices.thunderbird'),
            content: () => <ThunderbirdSteps setup={setup} />,
          },
          { name: 'outlook', label: t('devices.outlook'), content: () => <OutlookSteps setup={setup} /> },
        ]}
      />
      <Servers setup={setup} />
      {setup.addressBook !== null && <AddressBook url={setup.addressBook} username={setup.username} />}
    </>
  )
}

/** What every program asks for. */
function SignIn({ username }: { username: string }) {
  const t = useT()
  const [isOpen, setOpen] = useState(false)
  const passwords = useApi('GET /api/v4/app-passwords')
  return (
    <Panel
      title={t('devices.signIn')}
      actions={
        <Button icon={IconPlus} variant="primary" onPress={() => setOpen(true)}>
          {t('words.newAppPassword')}
        </Button>
      }
    >
      <div className="stack">
        <p>
          {t('devices.signInText')}{' '}
          {passwords.data?.isAccountPasswordAccepted === false && t('devices.appPasswordOnly')}
        </p>
        <div className="device-value">
          <span className="field-label">{t('words.userName')}</span>
          <CopyValue boxed text={username} label={t('words.userName')} />
        </div>
      </div>
      {isOpen && <MakeDialog forDevice onClose={() => setOpen(false)} />}
    </Panel>
  )
}
