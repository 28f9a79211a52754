import { displayAddress } from '@gatehouse/contract/canonical-address'
import type { UserListItem } from '@gatehouse/contract/directory/users'
import IconFileImport from '@tabler/icons-react/dist/esm/icons/IconFileImport.mjs'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import IconUsersPlus from '@tabler/icons-react/dist/esm/icons/IconUsersPlus.mjs'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import { ExportMenu } from '../../domain/bulk/export-menu.tsx'
import { useBulk } from '../../domain/bulk/use-bulk.tsx'
import { price } from '../../i18n/format.ts'
import { type Translate, useT } from '../../i18n/i18n.ts'
import type { Answer } from '../../platform/api/api.ts'
import { useApi, useApiPage } from '../../platform/api/query.tsx'
import { reportError } from '../../platform/api/report-error.ts'
import { useUser } from '../../platform/session/auth.ts'
import { ButtonLink } from '../../ui/buttons/button.tsx'
import { DataList } from '../../ui/data-table/data-list.tsx'
import { ListFilter } from '../../ui/data-table/list-filter.tsx'
import { useListPlace } from '../../ui/data-table/list-place.ts'
import { ListSearch } from '../../ui/data-table/list-search.tsx'
import { EmptyState } from '../../ui/page/empty-state.tsx'
import { PageHead } from '../../ui/page/page-head.tsx'
import { DeleteDialog } from './delete-dialog.tsx'
import { userQuery } from './user-calls.ts'
import { useUserColumns } from './user-columns.tsx'
import { listOptions, stateLabels, userStates } from './users-place.ts'
import './users.css'

/** All users of the accounts the user owns or manages. */
export function UsersPage() {
  const t = useT()
  const navigation = useListPlace(listOptions)
  const { page, size, search, sort, order, filters } = navigation.place
  const [deleting, setDeleting] = useState<number>()
  const bulk = useBulk<UserListItem>({
    objects: 'users',
    name: ({ email }) => displayAddress(email),
    search,
    status: filters.status,
  })
  const query = useApiPage('GET /api/v4/users', {
    query: { page, size, search: search || null, sort, order, status: filters.status ?? null, facts: '1' },
  })
  const columns = useUserColumns(filters.status === 'deleted', (act, user) =>
    act === 'delete' ? setDeleting(user.id) : bulk.ask(act, user),
  )

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
      {deleting !== undefined && <Deletion id={deleting} onClose={() => setDeleting(undefined)} />}
    </>
  )
}

/** Title with the number of all users, regardless of the filter below. */
function Head({ search, status }: { search: string; status: string | undefined }) {
  const t = useT()
  const { data } = useApi('GET /api/v4/users/summary')
  return (
    <PageHead
      title={t('words.users')}
      facts={data ? summary(t, data) : '\u00a0'}
      // An empty list has the button in its middle.
      actions={
        data?.users !== 0 && (
          <>
            <ImportLink />
            <ExportMenu route="GET /api/v4/users/export" search={search} status={status} />
            <AddPeople />
            <NewUser />
          </>
        )
      }
    />
  )
}

function summary(t: Translate, { users, domains, prices }: Answer<'GET /api/v4/users/summary'>): string {
  const people = t('users.inDomains', {
    users: t('words.userCount', { count: users }),
    domains,
  })
  if (!prices || prices.length === 0) return people
  const sum = prices.map(({ currency, monthly }) => price(monthly, currency)).join(' + ')
  return `${people} · ${t('users.perMonth', { price: sum })}`
}

/** Dialog to confirm deleting a user of the list, once all consequences are known. */
function Deletion({ id, onClose }: { id: number; onClose: () => void }) {
  const self = useUser()
  const { data, isError, error } = useQuery(userQuery(id))
  const fail = useEffectEvent(() => {
    reportError(error)
    onClose()
  })
  useEffect(() => {
    if (isError) fail()
  }, [isError])
  if (!data) return null
  return <DeleteDialog user={data} isSelf={self?.id === id} inList onClose={onClose} />
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

/** Button to add several users; support staff signed in as a customer can't create access. */
function AddPeople() {
  const t = useT()
  const user = useUser()
  if (user?.isDegraded || user?.isAccountDegraded || user?.impersonatedBy) return null
  return (
    <ButtonLink to="/users/add" icon={IconUsersPlus}>
      {t('words.addPeople')}
    </ButtonLink>
  )
}

/** Disabled until the account has been paid for. */
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
