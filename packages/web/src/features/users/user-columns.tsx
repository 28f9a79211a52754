import { displayAddress } from '@gatehouse/contract/canonical-address'
import type { UserListItem } from '@gatehouse/contract/directory/users'
import IconArrowBackUp from '@tabler/icons-react/dist/esm/icons/IconArrowBackUp.mjs'
import { day } from '../../i18n/format.ts'
import { useT } from '../../i18n/i18n.ts'
import { useApi } from '../../platform/api/query.tsx'
import { Button } from '../../ui/buttons/button.tsx'
import type { Column } from '../../ui/data-table/data-table.tsx'
import { FoundText } from '../../ui/data-table/found-text.tsx'
import { TableLink } from '../../ui/data-table/table-link.tsx'
import { Avatar } from '../../ui/facts/avatar.tsx'
import { StatusChip } from '../../ui/facts/status-chip.tsx'
import { Tag } from '../../ui/page/panel.tsx'
import { PackageCell, PriceCell, ProtectionCell, SeenCell, StorageCell } from './fact-cells.tsx'
import { type RowAct, RowMenu } from './row-menu.tsx'
import { useRestore } from './use-restore.ts'

/** Columns of the list of users, or of deleted users with restore buttons. */
export function useUserColumns(
  deleted: boolean,
  onAct: (act: RowAct, user: UserListItem) => void,
): readonly Column<UserListItem>[] {
  const t = useT()
  const policies = useApi('GET /api/v4/policies')
  const isRequired = policies.data?.second_factor.value === 'required'
  const common: Column<UserListItem>[] = [
    {
      name: 'name',
      label: t('words.name'),
      sortable: true,
      phone: 'main',
      width: deleted ? '40%' : '27%',
      cell: (user) => <NameCell user={user} owner={t('users.owner')} />,
    },
    { name: 'email', label: t('words.emailAddress'), sortable: true, sortOnly: true, cell: () => null },
    { name: 'created', label: t('words.created'), sortable: true, sortOnly: true, cell: () => null },
  ]
  if (deleted) return [...common, ...deletionColumns(t)]
  return [
    ...common,
    {
      name: 'status',
      label: t('users.status'),
      phone: 'aside',
      width: '11%',
      cell: (user) => <StatusChip of={user} />,
    },
    {
      name: 'package',
      label: t('words.package'),
      phone: 'meta',
      cell: ({ facts }) => <PackageCell facts={facts} />,
    },
    {
      name: 'factors',
      label: t('users.protection'),
      // on a phone, only missing protection is shown
      phone: isRequired ? 'meta' : 'hidden',
      width: '9%',
      cell: (user) => <ProtectionCell user={user} isRequired={isRequired} />,
    },
    {
      name: 'seen',
      label: t('users.lastSignIn'),
      phone: 'hidden',
      width: '12%',
      cell: ({ facts }) => <SeenCell facts={facts} />,
    },
    {
      name: 'storage',
      label: t('users.storage'),
      phone: 'hidden',
      width: '12%',
      cell: ({ facts }) => <StorageCell facts={facts} />,
    },
    {
      name: 'price',
      label: t('subscriptions.perMonth'),
      align: 'end',
      phone: 'hidden',
      width: '9%',
      cell: ({ facts }) => <PriceCell facts={facts} />,
    },
    {
      name: 'actions',
      label: t('words.actions'),
      hideLabel: true,
      align: 'end',
      phone: 'aside',
      width: '52px',
      cell: (user) => <RowMenu user={user} onAct={onAct} />,
    },
  ]
}

function deletionColumns(t: ReturnType<typeof useT>): Column<UserListItem>[] {
  return [
    {
      name: 'deleted',
      label: t('words.deletedOn'),
      phone: 'hidden',
      width: '14%',
      cell: ({ deleted_at }) => <span className="text-3 nowrap">{deleted_at && day(deleted_at)}</span>,
    },
    {
      name: 'restorable',
      label: t('users.restorableUntil'),
      phone: 'meta',
      width: '17%',
      cell: ({ restorable_until }) => (
        <>
          <span className="users-phone">{t('users.restorableUntil')} </span>
          {restorable_until ? day(restorable_until) : '–'}
        </>
      ),
    },
    {
      name: 'restore',
      label: t('words.action'),
      align: 'end',
      phone: 'meta',
      width: '14%',
      cell: (user) => user.restorable_until && <RestoreButton user={user} />,
    },
  ]
}

function RestoreButton({ user }: { user: UserListItem }) {
  const t = useT()
  const restore = useRestore()
  return (
    <Button
      size="small"
      icon={IconArrowBackUp}
      busyLabel={t('users.restoring')}
      onPress={() => restore(user.id)}
    >
      {t('users.restore')}
      <span className="visually-hidden"> {displayAddress(user.email)}</span>
    </Button>
  )
}

function NameCell({ user, owner }: { user: UserListItem; owner: string }) {
  const name = [user.first_name, user.last_name].filter(Boolean).join(' ')
  return (
    <span className="users-name">
      <Avatar name={name} email={user.email} />
      <span className="users-name-text">
        <span className="row">
          {user.isDeleted ? (
            <span className="medium text-3">
              <FoundText text={name || displayAddress(user.email)} />
            </span>
          ) : (
            <TableLink to={`/user/${user.id}`}>
              <FoundText text={name || displayAddress(user.email)} />
            </TableLink>
          )}
          {user.isOwner && <Tag>{owner}</Tag>}
        </span>
        {name && (
          <span className="data-second truncate users-second">
            <FoundText text={displayAddress(user.email)} />
          </span>
        )}
      </span>
    </span>
  )
}
