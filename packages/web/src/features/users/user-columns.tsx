import type { UserListItem } from '@gatehouse/contract/users'
import { day } from '../../i18n/format.ts'
import { useT } from '../../i18n/i18n.ts'
import { Avatar } from '../../ui/avatar.tsx'
import type { Column } from '../../ui/data-table/data-table.tsx'
import { TableLink } from '../../ui/data-table/table-link.tsx'
import { Tag } from '../../ui/panel.tsx'
import { StatusChip } from '../../ui/status-chip.tsx'

/** The columns of the list of users. */
export function useUserColumns(): readonly Column<UserListItem>[] {
  const t = useT()
  return [
    {
      name: 'name',
      label: t('users.name'),
      sortable: true,
      phone: 'main',
      width: '46%',
      cell: (user) => <NameCell user={user} owner={t('users.owner')} />,
    },
    {
      name: 'email',
      label: t('users.email'),
      sortable: true,
      phone: 'hidden',
      cell: (user) => <span className="users-address">{user.email}</span>,
    },
    {
      name: 'status',
      label: t('users.status'),
      phone: 'aside',
      width: '14%',
      cell: (user) => <StatusChip of={user} />,
    },
    {
      name: 'created',
      label: t('users.created'),
      sortable: true,
      align: 'end',
      phone: 'hidden',
      width: '14%',
      cell: (user) => <span className="text-3">{day(user.created_at)}</span>,
    },
  ]
}

function NameCell({ user, owner }: { user: UserListItem; owner: string }) {
  const name = [user.first_name, user.last_name].filter(Boolean).join(' ')
  return (
    <span className="users-name">
      <Avatar name={name} email={user.email} />
      <span className="users-name-text">
        <span className="row">
          <TableLink to={`/user/${user.id}`}>{name || user.email}</TableLink>
          {user.isOwner && <Tag>{owner}</Tag>}
        </span>
        {name && <span className="data-second truncate users-second">{user.email}</span>}
      </span>
    </span>
  )
}
