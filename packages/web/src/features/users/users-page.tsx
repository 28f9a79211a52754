import { displayAddress } from '@gatehouse/contract/canonical-address'
import type { UserListItem } from '@gatehouse/contract/directory/users'
import IconFileImport from '@tabler/icons-react/dist/esm/icons/IconFileImport.mjs'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import { ExportMenu } from '../../domain/bulk/export-menu.tsx'
import { useBulk } from '../../domain/bulk/use-bulk.tsx'
import { useT } from '../../i18n/i18n.ts'
import { useApi, useApiPage } from '../../platform/api/query.tsx'
import { useUser } from '../../platform/session/auth.ts'
import { ButtonLink } from '../../ui/buttons/button.tsx'
import { DataList } from '../../ui/data-table/data-list.tsx'
import { ListFilter } from '../../ui/data-table/list-filter.tsx'
import { useListPlace } from '../../ui/data-table/list-place.ts'
import { ListSearch } from '../../ui/data-table/list-search.tsx'
import { EmptyState } from '../../ui/page/empty-state.tsx'
import { PageHead } from '../../ui/page/page-head.tsx'
import { useUserColumns } from './user-columns.tsx'
import { listOptions, stateLabels, userStates } from './users-place.ts'
import './users.css'

/** All users of the accounts that one owns or looks after. */
export function UsersPage() {
  const t = useT()
  const navigation = useListPlace(listOptions)
  const { page, size, search, sort, order, filters } = navigation.place
  const columns = useUserColumns(filters.status === 'deleted')
  const bulk = useBulk<UserListItem>({
    objects: 'users',
    name: ({ email }) => displayAddress(email),
    search,
    status: filters.status,
  })
  const query = useApiPage('GET /api/v4/users', {
    query: { page, size, search: search || null, sort, order, status: filters.status ?? null },
  })

  return (
    <>
      <Head search={search} status={filters.status} />
      <DataList
        label={t('words.users')}
        columns={columns}
        rowKey={({ id }) => id}
        query={query}
        navigation={navigation}
        choice={bulk.choice}
        tools={
          <>
            <ListSearch
              label={t('users.search')}
              placeholder={t('users.searchPlaceholder')}
              value={search}
              onSearch={(text) => navigation.go({ search: text }, { replace: search !== '' && text !== '' })}
            />
            <ListFilter
              label={t('users.status')}
              all={t('words.any')}
              options={userStates.map((state) => ({ value: state, label: t(stateLabels[state]) }))}
              value={filters.status}
              onFilter={(status) => navigation.go({ filters: { status } })}
            />
          </>
        }
        empty={
          <EmptyState title={t('users.emptyTitle')} action={<NewUser />}>
            {t('users.emptyText')}
          </EmptyState>
        }
      />
      {bulk.dialog}
    </>
  )
}

/** The title with the number of all users, whatever the list below is narrowed to. */
function Head({ search, status }: { search: string; status: string | undefined }) {
  const t = useT()
  const { data } = useApi('GET /api/v4/users', { query: { size: 1 } })
  return (
    <PageHead
      title={t('words.users')}
      facts={data ? t('words.userCount', { count: data.total }) : '\u00a0'}
      // An empty list has the button in its middle.
      actions={
        data?.total !== 0 && (
          <>
            <ImportLink />
            <ExportMenu route="GET /api/v4/users/export" search={search} status={status} />
            <NewUser />
          </>
        )
      }
    />
  )
}

function ImportLink() {
  const t = useT()
  const user = useUser()
  if (user?.isDegraded || user?.isAccountDegraded) return null
  return (
    <ButtonLink to="/import" search={{ kind: 'users' }} icon={IconFileImport}>
      {t('bulk.import')}
    </ButtonLink>
  )
}

/** Nobody is added while the account has to be paid first. */
function NewUser() {
  const t = useT()
  const user = useUser()
  if (user?.isDegraded || user?.isAccountDegraded) return null
  return (
    <ButtonLink to="/user/new" variant="primary" icon={IconPlus}>
      {t('words.newUser')}
    </ButtonLink>
  )
}
