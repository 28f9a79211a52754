import type { Controllers } from '@gatehouse/contract/directory/controllers'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import { day } from '../../i18n/format.ts'
import { useT } from '../../i18n/i18n.ts'
import { useUser } from '../../platform/session/auth.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { type Column, DataTable } from '../../ui/data-table/data-table.tsx'
import { Tag } from '../../ui/page/panel.tsx'
import { type OwnerRow, ownerRows } from './owner-rows.ts'

export interface OwnerTableProps {
  label: string
  owners: Controllers
  /** Called where the reader may make changes. */
  onEnd: (row: OwnerRow) => void
}

/** An account's owners and invitations; all but the owner have a button that ends them. */
export function OwnerTable({ label, owners, onEnd }: OwnerTableProps) {
  const t = useT()
  const readerId = useUser()?.id
  const columns: Column<OwnerRow>[] = [
    {
      name: 'person',
      label: t('words.person'),
      phone: 'main',
      cell: ({ name, email, userId }) => (
        <>
          <span className="row">
            <span className="medium truncate">{name}</span>
            {userId === readerId && <Tag>{t('words.you')}</Tag>}
          </span>
          {name !== email && <span className="data-second truncate">{email}</span>}
        </>
      ),
    },
    {
      name: 'role',
      label: t('words.role'),
      phone: 'meta',
      cell: ({ role, until }) => t(roleLabels[role], { date: until === undefined ? '' : day(until) }),
    },
  ]
  if (owners.canChange)
    columns.push({
      name: 'actions',
      label: t('words.actions'),
      align: 'end',
      width: '64px',
      phone: 'aside',
      cell: (row) =>
        row.role !== 'owner' &&
        (owners.canHandOver || (row.role !== 'given' && row.role !== 'confirmed')) && (
          <Button
            variant="quiet"
            size="small"
            icon={IconTrash}
            label={t(endLabels[endOf(row, readerId)], { email: row.email })}
            onPress={() => onEnd(row)}
          />
        ),
    })
  return <DataTable label={label} columns={columns} rows={ownerRows(owners)} rowKey={({ key }) => key} />
}

const roleLabels = {
  owner: 'owners.owner',
  controller: 'owners.controller',
  invited: 'owners.invitedUntil',
  given: 'owners.givenUntil',
  confirmed: 'owners.confirmedUntil',
} as const

const endLabels = {
  remove: 'owners.remove',
  leave: 'owners.leave',
  withdraw: 'owners.withdraw',
  keep: 'owners.keep',
} as const

function endOf({ role, userId }: OwnerRow, readerId: number | undefined): keyof typeof endLabels {
  if (role === 'invited') return 'withdraw'
  if (role === 'given' || role === 'confirmed') return 'keep'
  return userId === readerId ? 'leave' : 'remove'
}
