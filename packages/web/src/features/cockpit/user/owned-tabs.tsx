import { displayAddress, displayDomain } from '@gatehouse/contract/canonical-address'
import type {
  StaffDomainItem,
  StaffFolderItem,
  StaffGroupItem,
  StaffResourceItem,
  StaffUserDetail,
  StaffUserItem,
} from '@gatehouse/contract/staff/staff-views'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { typeLabels } from '../../../domain/directory/folder-types.ts'
import type { MessageKey } from '../../../i18n/areas.ts'
import { day } from '../../../i18n/format.ts'
import { useT } from '../../../i18n/i18n.ts'
import type { RouteKey } from '../../../platform/api/http.ts'
import { apiQuery } from '../../../platform/api/query.tsx'
import { ButtonLink } from '../../../ui/buttons/button.tsx'
import { DataList, type ListPage } from '../../../ui/data-table/data-list.tsx'
import type { Column } from '../../../ui/data-table/data-table.tsx'
import { useListPlace } from '../../../ui/data-table/list-place.ts'
import { TableLink } from '../../../ui/data-table/table-link.tsx'
import { StatusChip, type StatusFlags } from '../../../ui/facts/status-chip.tsx'
import { EmptyState } from '../../../ui/page/empty-state.tsx'
import type { Tab } from '../../../ui/page/tabs.tsx'

/** Lists of an owner's objects; each is one API call with `owner`. */
type OwnedRoute = Extract<
  RouteKey,
  | 'GET /api/v4/users @staff'
  | 'GET /api/v4/domains @staff'
  | 'GET /api/v4/groups @staff'
  | 'GET /api/v4/resources @staff'
  | 'GET /api/v4/shared-folders @staff'
>

interface OwnedItem extends StatusFlags {
  id: number
  created_at: string
}

interface OwnedKind {
  name: string
  /** Last path segment of the creation form, and the label of its button. */
  create: { path: string; label: MessageKey }
  label: MessageKey
  route: OwnedRoute
  path: string
  title: (item: never) => string
  second?: (item: never) => string | null
}

const kinds = [
  {
    name: 'domains',
    create: { path: 'domain', label: 'words.newDomain' },
    label: 'words.domains',
    route: 'GET /api/v4/domains @staff',
    path: '/domain',
    title: (item: StaffDomainItem) => displayDomain(item.namespace),
  },
  {
    name: 'users',
    create: { path: 'user', label: 'customer.newUser' },
    label: 'words.users',
    route: 'GET /api/v4/users @staff',
    path: '/user',
    title: (item: StaffUserItem) => displayAddress(item.email),
    second: (item: StaffUserItem) => item.name,
  },
  {
    name: 'distlists',
    create: { path: 'distlist', label: 'customer.newList' },
    label: 'customer.distlists',
    route: 'GET /api/v4/groups @staff',
    path: '/distlist',
    title: (item: StaffGroupItem) => item.name,
    second: (item: StaffGroupItem) => displayAddress(item.email),
  },
  {
    name: 'resources',
    create: { path: 'resource', label: 'words.newResource' },
    label: 'words.resources',
    route: 'GET /api/v4/resources @staff',
    path: '/resource',
    title: (item: StaffResourceItem) => item.name,
    second: (item: StaffResourceItem) => displayAddress(item.email),
  },
  {
    name: 'folders',
    create: { path: 'shared-folder', label: 'words.newFolder' },
    label: 'words.folders',
    route: 'GET /api/v4/shared-folders @staff',
    path: '/shared-folder',
    title: (item: StaffFolderItem) => item.name,
    second: (item: StaffFolderItem) => displayAddress(item.email),
  },
] as const satisfies readonly OwnedKind[]

const options = { sorts: ['name'], filters: {} } as const

/** Objects of the wallets a user owns, by kind, each counted before its tab is opened. */
export function useOwnedTabs(user: StaffUserDetail): Tab[] {
  const t = useT()
  const [domains, users, distlists, resources, folders] = [
    useCount('GET /api/v4/domains @staff', user),
    useCount('GET /api/v4/users @staff', user),
    useCount('GET /api/v4/groups @staff', user),
    useCount('GET /api/v4/resources @staff', user),
    useCount('GET /api/v4/shared-folders @staff', user),
  ]
  const counts: Record<string, Tab['count']> = { domains, users, distlists, resources, folders }
  return kinds.map((kind) => ({
    name: kind.name,
    label: t(kind.label),
    count: counts[kind.name],
    content: () => <OwnedList kind={kind} user={user} />,
  }))
}

/** Count from the first page, with a plus if there are more. */
function useCount(route: OwnedRoute, user: StaffUserDetail): Tab['count'] {
  const { data } = useQuery({ ...ownedQuery(route, user, 1, 20), enabled: owns(user) })
  if (!owns(user)) return 0
  if (!data) return undefined
  return data.hasMore ? `${data.count}+` : data.count
}

function owns({ wallets, id }: StaffUserDetail): boolean {
  return wallets.some((wallet) => wallet.user_id === id)
}

function ownedQuery(route: OwnedRoute, user: StaffUserDetail, page: number, size: number) {
  return apiQuery(route, { query: { owner: String(user.id), page, size } })
}

function OwnedList({ kind, user }: { kind: (typeof kinds)[number]; user: StaffUserDetail }) {
  const t = useT()
  const navigation = useListPlace(options)
  const { page, size } = navigation.place
  const query = useQuery({
    ...ownedQuery(kind.route, user, page, size),
    enabled: owns(user),
    placeholderData: keepPreviousData,
  })
  const nothing: ListPage<OwnedItem> = { list: [], count: 0, hasMore: false }
  return (
    <DataList<OwnedItem, 'name', typeof options.filters>
      label={t(kind.label)}
      columns={useColumns(kind, user)}
      rowKey={({ id }) => id}
      query={{ ...query, data: owns(user) ? query.data : nothing }}
      navigation={navigation}
      tools={
        user.staffRights.canCreate && (
          <ButtonLink icon={IconPlus} to={`/user/${user.id}/new/${kind.create.path}`}>
            {t(kind.create.label)}
          </ButtonLink>
        )
      }
      empty={<EmptyState title={t('customer.ownsNothing')}>{t('customer.ownsNothingText')}</EmptyState>}
    />
  )
}

function useColumns(kind: (typeof kinds)[number], user: StaffUserDetail): readonly Column<OwnedItem>[] {
  const t = useT()
  // each list holds items of its own kind, which a table of kinds can't express in types
  const item = (row: OwnedItem) => row as never
  const name = (row: OwnedItem): ReactNode => {
    const isHere = kind.name === 'users' && row.id === user.id
    const title = kind.title(item(row))
    return (
      <>
        {isHere ? (
          <span className="medium">{title}</span>
        ) : (
          <TableLink to={`${kind.path}/${row.id}`}>{title}</TableLink>
        )}
        {'second' in kind && <span className="data-second">{kind.second(item(row))}</span>}
      </>
    )
  }
  return [
    { name: 'name', label: t('words.name'), phone: 'main', cell: name },
    ...(kind.name === 'folders'
      ? [
          {
            name: 'type',
            label: t('words.type'),
            phone: 'meta' as const,
            cell: (row: OwnedItem) => t(typeLabels[(item(row) as StaffFolderItem).type]),
          },
        ]
      : []),
    {
      name: 'status',
      label: t('words.status'),
      phone: 'aside',
      cell: (row) => <StatusChip of={row} />,
    },
    {
      name: 'created',
      label: t('words.created'),
      phone: 'hidden',
      align: 'end',
      cell: ({ created_at: created }) => <span className="text-2 nowrap">{day(created)}</span>,
    },
  ]
}
