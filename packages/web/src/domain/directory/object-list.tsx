import type { ObjectState, objectStates as states } from '@gatehouse/contract/directory/directory'
import { type DirectoryKind, kinds } from '@gatehouse/contract/directory/kinds'
import IconFileImport from '@tabler/icons-react/dist/esm/icons/IconFileImport.mjs'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { MessageKey } from '../../i18n/areas.ts'
import { useT } from '../../i18n/i18n.ts'
import { hasPermission } from '../../platform/session/auth.ts'
import { ButtonLink } from '../../ui/buttons/button.tsx'
import { DataList } from '../../ui/data-table/data-list.tsx'
import type { Column } from '../../ui/data-table/data-table.tsx'
import { ListFilter } from '../../ui/data-table/list-filter.tsx'
import { useListPlace } from '../../ui/data-table/list-place.ts'
import { ListSearch } from '../../ui/data-table/list-search.tsx'
import type { Glyph } from '../../ui/icon.tsx'
import { EmptyState } from '../../ui/page/empty-state.tsx'
import { PageHead } from '../../ui/page/page-head.tsx'
import { ExportMenu } from '../bulk/export-menu.tsx'
import { useBulk } from '../bulk/use-bulk.tsx'
import { listOf, looks, pageOf } from './kind.ts'
import { listQuery, type Row } from './kind-calls.ts'
import { useObjectColumns } from './object-columns.tsx'
import { ObstacleNote, ObstacleState } from './obstacle.tsx'
import { useCreation } from './use-creation.ts'
import './directory.css'

// Importing the contract's array would add its validator to the bundle.
const objectStates = ['active', 'pending', 'suspended', 'deleted'] as const satisfies typeof states

const stateLabels: Record<ObjectState, MessageKey> = {
  active: 'words.active',
  pending: 'status.notReady',
  suspended: 'status.suspended',
  deleted: 'words.deleted',
}

export interface ObjectListProps<K extends DirectoryKind, S extends string> {
  kind: K
  /** Sort keys of the list. */
  sorts: readonly [S, ...S[]]
  /** The kind's columns, between address and status. */
  more?: readonly Column<Row<K>>[]
  /** For rows whose icon differs from the kind's. */
  icon?: (row: Row<K>) => Glyph
  /** Shown after the address on phones, where there is no room for columns. */
  fact?: (row: Row<K>) => string
  /** Objects of the kind can be imported. */
  isImportable?: boolean
}

/** The list of a kind's objects: title, tools, rows, and the empty state. */
export function ObjectList<K extends DirectoryKind, S extends string>(props: ObjectListProps<K, S>) {
  const { kind, sorts, isImportable = false } = props
  const t = useT()
  const { obstacle } = useCreation()
  const states = objectStates.filter((state) => state !== 'suspended' || looks[kind].isSuspendable)
  const navigation = useListPlace({ sorts, filters: { status: states } })
  const { page, size, search, sort, order, filters } = navigation.place
  const total = useQuery(listQuery(kind, { size: 1 })).data?.total
  const query = useQuery({
    ...listQuery(kind, {
      page,
      size,
      search: search || null,
      sort,
      order,
      status: filters.status ?? null,
    }),
    placeholderData: keepPreviousData,
  })
  const columns = useObjectColumns({ ...props, deleted: filters.status === 'deleted' })
  const bulk = useBulk<Row<K>>({
    objects: kinds[kind].path,
    name: ({ name }) => name,
    search,
    status: filters.status,
  })
  const isEmpty = total === 0 && search === '' && filters.status === undefined
  return (
    <>
      <PageHead
        title={t(looks[kind].title)}
        facts={<Facts kind={kind} total={total} />}
        actions={
          !isEmpty && (
            <>
              {isImportable && !obstacle && hasPermission('users') && (
                <ButtonLink to="/import" search={{ kind: kinds[kind].path }} icon={IconFileImport}>
                  {t('bulk.import')}
                </ButtonLink>
              )}
              <ExportMenu
                route={`GET /api/v4/${kinds[kind].path}/export`}
                search={search}
                status={filters.status}
              />
              {!obstacle && <NewButton kind={kind} />}
            </>
          )
        }
      />
      {obstacle && !isEmpty && (
        <div className="directory-note">
          <ObstacleNote of={obstacle} kind={kind} />
        </div>
      )}
      <DataList
        label={t(looks[kind].title)}
        columns={columns}
        rowKey={({ id }) => id}
        query={query}
        navigation={navigation}
        choice={bulk.choice}
        tools={
          <>
            <ListSearch
              label={t('directory.search', { kind: kinds[kind].name })}
              placeholder={t('directory.searchPlaceholder')}
              value={search}
              onSearch={(text) => navigation.go({ search: text }, { replace: search !== '' && text !== '' })}
            />
            <ListFilter
              label={t('words.status')}
              all={t('words.any')}
              options={states.map((state) => ({ value: state, label: t(stateLabels[state]) }))}
              value={filters.status}
              onFilter={(status) => navigation.go({ filters: { status } })}
            />
          </>
        }
        empty={
          obstacle ? (
            <ObstacleState of={obstacle} kind={kind} />
          ) : (
            <EmptyState
              title={t('directory.emptyTitle', { kind: kinds[kind].name })}
              action={
                <span className="row wrap">
                  <NewButton kind={kind} />
                  <ButtonLink to={listOf(kind)} search={{ status: 'deleted' }} variant="quiet">
                    {t('directory.showDeleted')}
                  </ButtonLink>
                </span>
              }
            >
              {t('directory.emptyText', { kind: kinds[kind].name })}
            </EmptyState>
          )
        }
      />
      {bulk.dialog}
    </>
  )
}

function Facts({ kind, total }: { kind: DirectoryKind; total: number | undefined }) {
  const t = useT()
  if (total === undefined) return '\u00a0'
  if (total === 0) return t('directory.newLead', { kind: kinds[kind].name })
  return t('directory.count', { kind: kinds[kind].name, count: total })
}

function NewButton({ kind }: { kind: DirectoryKind }) {
  const t = useT()
  return (
    <ButtonLink to={`${pageOf(kind)}/new`} variant="primary" icon={IconPlus}>
      {t('directory.new', { kind: kinds[kind].name })}
    </ButtonLink>
  )
}
