import type { RoomListItem, roomSortKeys } from '@gatehouse/contract/meetings/rooms'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { listQuery } from '../../domain/directory/kind-calls.ts'
import { useT } from '../../i18n/i18n.ts'
import { hasPermission, useUser } from '../../platform/session/auth.ts'
import { ButtonLink } from '../../ui/buttons/button.tsx'
import { DataList } from '../../ui/data-table/data-list.tsx'
import { ListFilter } from '../../ui/data-table/list-filter.tsx'
import { useListPlace } from '../../ui/data-table/list-place.ts'
import { ListSearch } from '../../ui/data-table/list-search.tsx'
import { EmptyState } from '../../ui/page/empty-state.tsx'
import { PageHead } from '../../ui/page/page-head.tsx'
import { useRoomColumns } from './room-columns.tsx'
import { liveEvery } from './room-kind.ts'
import '../../domain/directory/directory.css'
import './rooms.css'

// Importing the contract's arrays would pull its validator into the bundle.
const sorts = ['name', 'description', 'created'] as const satisfies typeof roomSortKeys
const states = ['active', 'deleted'] as const
const options = { sorts, filters: { status: states } } as const

/** All meeting rooms available to the user: their own, those of the account, and those shared by others. */
export function RoomsPage() {
  const t = useT()
  const canCreate = useCanCreate()
  const navigation = useListPlace(options)
  const { page, size, search, sort, order, filters } = navigation.place
  const { data: all } = useQuery(listQuery('room', { page: 1, size: 1 }))
  const query = useQuery({
    ...listQuery('room', { page, size, search: search || null, sort, order, status: filters.status ?? null }),
    placeholderData: keepPreviousData,
    refetchInterval: liveEvery,
  })
  const columns = useRoomColumns({ deleted: filters.status === 'deleted' })
  const total = all?.total
  return (
    <>
      <PageHead
        title={t('section.rooms')}
        facts={total ? t('rooms.count', { count: total }) : t('rooms.lead')}
        actions={canCreate && total !== 0 && <NewButton />}
      />
      <DataList<RoomListItem, (typeof sorts)[number], (typeof options)['filters']>
        label={t('section.rooms')}
        columns={columns}
        rowKey={({ id }) => id}
        query={query}
        navigation={navigation}
        tools={
          <>
            <ListSearch
              label={t('rooms.search')}
              placeholder={t('rooms.searchPlaceholder')}
              value={search}
              onSearch={(text) => navigation.go({ search: text }, { replace: search !== '' && text !== '' })}
            />
            {hasPermission('settings') && (
              <ListFilter
                label={t('words.status')}
                all={t('words.any')}
                options={[
                  { value: 'active', label: t('words.active') },
                  { value: 'deleted', label: t('words.deleted') },
                ]}
                value={filters.status}
                onFilter={(status) => navigation.go({ filters: { status } })}
              />
            )}
          </>
        }
        empty={<NoRooms canCreate={canCreate} />}
      />
    </>
  )
}

/** Whether the user may create rooms: they must control the account, and it must be paid for. */
function useCanCreate(): boolean {
  const user = useUser()
  return hasPermission('settings', user) && !user?.isDegraded && !user?.isAccountDegraded
}

function NoRooms({ canCreate }: { canCreate: boolean }) {
  const t = useT()
  return (
    <EmptyState title={t('rooms.emptyTitle')} action={canCreate && <NewButton />}>
      {t(hasPermission('settings') ? 'rooms.emptyText' : 'rooms.emptyAsk')}
    </EmptyState>
  )
}

function NewButton() {
  const t = useT()
  return (
    <ButtonLink to="/room/new" variant="primary" icon={IconPlus}>
      {t('rooms.new')}
    </ButtonLink>
  )
}
