import type { UserDetail } from '@gatehouse/contract/directory/users'
import { useMailStorageFact } from '../../domain/mail-storage/mail-storage.tsx'
import { customerNumber, day } from '../../i18n/format.ts'
import { useT } from '../../i18n/i18n.ts'
import { Facts } from '../../ui/facts/facts.tsx'
import { ProtectionKinds } from '../../ui/facts/protection-kinds.tsx'
import { StatusChip } from '../../ui/facts/status-chip.tsx'
import { Panel } from '../../ui/page/panel.tsx'

/** Facts of a user that can't be edited. */
export function Glance({ user }: { user: UserDetail }) {
  const t = useT()
  const storage = useMailStorageFact(user.mailStorage)
  return (
    <Panel title={t('words.atAGlance')}>
      <Facts
        facts={[
          { label: t('users.status'), value: <StatusChip of={user} /> },
          ...(user.factors
            ? [{ label: t('words.secondFactor'), value: <ProtectionKinds kinds={user.factors} /> }]
            : []),
          ...storage,
          { label: t('users.customerNumber'), value: customerNumber(user.id) },
          { label: t('words.created'), value: day(user.created_at) },
          { label: t('words.lastChanged'), value: day(user.updated_at) },
        ]}
      />
    </Panel>
  )
}
