import { displayAddress } from '@gatehouse/contract/canonical-address'
import type { BulkAction } from '@gatehouse/contract/directory/bulk'
import { useId, useState } from 'react'
import { useT } from '../../i18n/i18n.ts'
import { useApi, useApiPage } from '../../platform/api/query.tsx'
import { useUser } from '../../platform/session/auth.ts'
import { Select } from '../../ui/fields/select.tsx'
import { TextField } from '../../ui/fields/text-field.tsx'
import { LoadFailed } from '../../ui/page/load-failed.tsx'
import { SkeletonRows } from '../../ui/page/skeleton.tsx'
import { pricingOf } from '../subscriptions/discount.tsx'
import { PackageSelect } from '../subscriptions/package-select.tsx'
import { useObjectPrice } from '../subscriptions/use-price-preview.ts'

/** What an action needs besides the objects. */
export interface BulkTarget {
  package?: string
  group?: number
}

interface TargetProps {
  target: BulkTarget
  onTarget: (target: BulkTarget) => void
}

/** Fields for what an action needs besides the objects: a package, or a distribution list. */
export function TargetFields({ action, ...props }: TargetProps & { action: BulkAction }) {
  if (action === 'package') return <PackageField {...props} />
  if (action === 'join' || action === 'leave') return <ListField {...props} />
  return null
}

function PackageField({ target, onTarget }: TargetProps) {
  const t = useT()
  const id = useId()
  const self = useUser()
  const { data, isError, refetch } = useApi('GET /api/v4/packages')
  const packages = data?.filter(({ isDomain }) => !isDomain)
  // the package replaces a user's subscriptions, so each package costs the same as for a new user
  const [first] = packages ?? []
  const price = useObjectPrice(first && { type: 'user', action: 'create', package: first.id })
  if (isError) return <LoadFailed onRetry={refetch} />
  if (!packages) return <SkeletonRows count={2} />
  return (
    <>
      <PackageSelect
        id={id}
        name="bulk-package"
        label={t('words.package')}
        packages={packages}
        value={target.package ?? ''}
        onValue={(chosen) => onTarget({ package: chosen })}
        pricing={pricingOf(self?.wallet)}
        price={price}
      />
      <p className="small text-3">{t('bulk.packageHint')}</p>
    </>
  )
}

/** Maximum lists in a select; above that, a search field comes first. */
const most = 100

function ListField({ target, onTarget }: TargetProps) {
  const t = useT()
  const id = useId()
  const [search, setSearch] = useState('')
  const all = useApi('GET /api/v4/groups', { query: { size: 1 } })
  const lists = useApiPage('GET /api/v4/groups', {
    query: { size: most, sort: 'name', search: search || null },
  })
  if (lists.isError) return <LoadFailed onRetry={lists.refetch} />
  if (!lists.data) return <SkeletonRows count={1} />
  if (all.data?.total === 0) return <p>{t('bulk.noLists')}</p>
  return (
    <>
      {(all.data?.total ?? 0) > most && (
        <TextField id={`${id}-search`} label={t('bulk.searchLists')} value={search} onValue={setSearch} />
      )}
      <Select
        id={id}
        label={t('bulk.list')}
        value={target.group === undefined ? '' : String(target.group)}
        onValue={(value) => onTarget(value === '' ? {} : { group: Number(value) })}
        options={[
          { value: '', label: t('bulk.chooseList') },
          ...lists.data.list.map((list) => ({
            value: String(list.id),
            label: `${list.name} – ${displayAddress(list.email)}`,
          })),
        ]}
      />
    </>
  )
}
