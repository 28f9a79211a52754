import { displayAddress } from '@gatehouse/contract/canonical-address'
import type { StaffUserDetail } from '@gatehouse/contract/staff/staff-views'
import { EventLog } from '../../../domain/events/event-log.tsx'
import { MailList } from '../../../domain/mail-trace/mail-list.tsx'
import { useRecentObject } from '../../../domain/search/use-recent-object.ts'
import { ReceiptList } from '../../../domain/wallet/receipt-list.tsx'
import { customerNumber } from '../../../i18n/format.ts'
import { useT } from '../../../i18n/i18n.ts'
import { StatusChip } from '../../../ui/facts/status-chip.tsx'
import { PageHead } from '../../../ui/page/page-head.tsx'
import { type Tab, Tabs } from '../../../ui/page/tabs.tsx'
import { NoWallet } from '../shared/no-wallet.tsx'
import { Restoration } from '../shared/restoration.tsx'
import { SetupNote } from '../shared/setup-note.tsx'
import { AliasesTab } from './aliases-tab.tsx'
import { ApiKeysTab } from './api-keys-tab.tsx'
import { CustomerActions } from './customer-actions.tsx'
import { fullName } from './customer-calls.ts'
import { CustomerFacts } from './customer-facts.tsx'
import { FinancesTab } from './finances-tab.tsx'
import { useOwnedTabs } from './owned-tabs.tsx'
import { OwnersTab } from './owners-tab.tsx'
import { SettingsTab } from './settings-tab.tsx'
import { SubscriptionsTab } from './subscriptions-tab.tsx'
import '../cockpit.css'

/** Everything staff can see of a user and do with them. */
export function CustomerScreen({ user }: { user: StaffUserDetail }) {
  const t = useT()
  const name = fullName(user)
  useRecentObject('user', { id: user.id, title: user.email, detail: name || null })
  const isOwner = user.owner === null || user.owner.id === user.id
  const trail =
    user.owner && !isOwner ? [{ label: displayAddress(user.owner.email), to: `/user/${user.owner.id}` }] : []
  return (
    <>
      <PageHead
        title={displayAddress(user.email)}
        status={<StatusChip of={user} />}
        facts={[name, user.settings.organization, t('customer.number', { number: customerNumber(user.id) })]
          .filter(Boolean)
          .join(' · ')}
        trail={[{ label: t('cockpit.customers'), to: '/dashboard' }, ...trail]}
        actions={<CustomerActions user={user} />}
      />
      <Restoration
        kind="users"
        id={user.id}
        name={displayAddress(user.email)}
        deletedAt={user.deleted_at}
        until={user.restorable_until}
        canRestore={user.staffRights.canRestore}
        effects={[
          t(isOwner ? 'customer.restoreAccount' : 'customer.restoreUser'),
          t('customer.restoreCosts'),
        ]}
      />
      {user.deleted_at === null && <SetupNote process={user.statusInfo} failures={user.failures} />}
      <div className="cockpit-columns">
        <CustomerFacts user={user} />
        <div className="cockpit-main">
          <CustomerTabs user={user} />
        </div>
      </div>
    </>
  )
}

function CustomerTabs({ user }: { user: StaffUserDetail }) {
  const t = useT()
  const [wallet] = user.wallets
  const owned = useOwnedTabs(user)
  const tabs: Tab[] = [
    {
      name: 'history',
      label: t('words.history'),
      content: () => <EventLog type="user" id={user.id} />,
    },
    {
      name: 'mail',
      label: t('words.mail'),
      content: () => <MailList userId={user.id} />,
    },
    {
      name: 'finances',
      label: t('customer.finances'),
      content: () => (wallet ? <FinancesTab id={wallet.id} user={user} /> : <NoWallet owner={user.owner} />),
    },
    {
      name: 'receipts',
      label: t('wallet.receipts'),
      content: () => (wallet ? <ReceiptList id={wallet.id} /> : <NoWallet owner={user.owner} />),
    },
    {
      name: 'aliases',
      label: t('words.aliases'),
      count: user.aliases.length,
      content: () => <AliasesTab aliases={user.aliases} />,
    },
    {
      name: 'subscriptions',
      label: t('customer.subscriptions'),
      count: Object.keys(user.skus).length,
      content: () => <SubscriptionsTab user={user} />,
    },
    ...owned,
    ...(wallet && wallet.user_id === user.id && user.deleted_at === null
      ? [{ name: 'owners', label: t('words.owners'), content: () => <OwnersTab id={wallet.id} /> }]
      : []),
    ...(user.deleted_at === null
      ? [{ name: 'api-keys', label: t('words.apiKeys'), content: () => <ApiKeysTab userId={user.id} /> }]
      : []),
    {
      name: 'settings',
      label: t('words.settings'),
      content: () => <SettingsTab user={user} />,
    },
  ]
  return <Tabs label={t('words.partsOfThePage')} tabs={tabs} outside keep={[]} />
}
