import { useT } from '../../i18n/i18n.ts'
import { CopyValue } from '../../ui/buttons/copy-value.tsx'
import { Facts } from '../../ui/facts/facts.tsx'
import { Panel } from '../../ui/page/panel.tsx'

interface AddressBookProps {
  url: string
  username: string
}

/** How the account's address book is added to a program; it isn't found by the address of the mailbox. */
export function AddressBook({ url, username }: AddressBookProps) {
  const t = useT()
  return (
    <Panel title={t('devices.addressBook')} footer={<p>{t('devices.addressBookText')}</p>}>
      <Facts
        facts={[
          {
            label: t('devices.addressBookUrl'),
            value: <CopyValue text={url} label={t('devices.addressBookUrl')} />,
          },
          {
            label: t('words.userName'),
            value: <CopyValue text={username} label={t('words.userName')} />,
          },
          { label: t('words.password'), value: t('devices.addressBookPassword') },
        ]}
      />
    </Panel>
  )
}
