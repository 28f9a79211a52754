import type { UserDetail } from '@gatehouse/contract/users'
import { customerNumber, day } from '../../i18n/format.ts'
import { useT } from '../../i18n/i18n.ts'
import { Panel } from '../../ui/panel.tsx'
import { StatusChip } from '../../ui/status-chip.tsx'

/** The facts of a user that nobody changes by hand. */
export function Glance({ user }: { user: UserDetail }) {
  const t = useT()
  return (
    <Panel title={t('users.facts')}>
      <dl className="users-facts">
        <div>
          <dt>{t('users.status')}</dt>
          <dd>
            <StatusChip of={user} />
          </dd>
        </div>
        <div>
          <dt>{t('users.customerNumber')}</dt>
          <dd>{customerNumber(user.id)}</dd>
        </div>
        <div>
          <dt>{t('users.created')}</dt>
          <dd>{day(user.created_at)}</dd>
        </div>
        <div>
          <dt>{t('users.changed')}</dt>
          <dd>{day(user.updated_at)}</dd>
        </div>
      </dl>
    </Panel>
  )
}
