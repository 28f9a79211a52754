import type { UserDetail } from '@gatehouse/contract/directory/users'
import { useT } from '../../../i18n/i18n.ts'
import { useApi } from '../../../platform/api/query.tsx'
import { LoadFailed } from '../../../ui/page/load-failed.tsx'
import { Panel } from '../../../ui/page/panel.tsx'
import { SkeletonRows } from '../../../ui/page/skeleton.tsx'
import { DelegationTable } from './delegation-table.tsx'
import { usePersonName } from './person-name.ts'

/** Users this user may act for: the same data from the other side. */
export function Delegators({ user }: { user: UserDetail }) {
  const t = useT()
  const who = usePersonName(user)
  const params = { id: String(user.id) }
  const delegators = useApi('GET /api/v4/users/{id}/delegators', { params })
  const rows = delegators.data?.list
  const title = t('usersettings.delegators', who)
  return (
    <Panel flush title={title}>
      {rows?.length === 0 && <p className="panel-body text-2">{t('usersettings.noDelegators', who)}</p>}
      {rows && rows.length > 0 && <DelegationTable label={title} rows={rows} sender={({ email }) => email} />}
      {delegators.isPending && <SkeletonRows count={1} />}
      {delegators.isError && !rows && (
        <div className="panel-body">
          <LoadFailed onRetry={delegators.refetch} />
        </div>
      )}
    </Panel>
  )
}
