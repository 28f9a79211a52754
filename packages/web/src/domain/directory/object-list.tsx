import type { ObjectState } from '@gatehouse/contract/directory/directory'
import IconFileImport from '@tabler/icons-react/dist/esm/icons/IconFileImport.mjs'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import type { MessageKey } from '../../i18n/areas.ts'
import { useT } from '../../i18n/i18n.ts'
import { hasPermission } from '../../platform/session/auth.ts'
import { ButtonLink } from '../../ui/buttons/button.tsx'
import { DataList, type ListQuery } from '../../ui/data-table/data-list.tsx'
import type { Column } from '../../ui/data-table/data-table.tsx'
import { ListFilter } from '../../ui/data-table/list-filter.tsx'
import type { ListNavigation } from '../../ui/data-table/list-place.ts'
import { ListSearch } from '../../ui/data-table/list-search.tsx'
import { EmptyState } from '../../ui/page/empty-state.tsx'
import { PageHead } from '../../ui/page/page-head.tsx'
import { ExportMenu } from '../bulk/export-menu.tsx'
import { useBulk } from '../bulk/use-bulk.tsx'
import type { Kind } from './kind.ts'
import { ObstacleNote, ObstacleState } from './obstacle.tsx'
import { useCreation } from './use-creation.ts'
import './directory.css'

const stateLabels: Record<ObjectState, MessageKey> = {
  active: 'status.active',
  pending: 'status.notReady',
  suspended: 'status.suspended',
  deleted: 'status.deleted',
}

export interface ObjectListProps<
  Row extends { id: number; name: string },
  S extends string,
  V extends ObjectState,
> {
  kind: Kind
  columns: readonly Column<Row>[]
  query: ListQuery<Row>
  navigation: ListNavigation<S, { status: readonly V[] }>
  sorts: readonly S[]
  states: readonly V[]
  /** How many there are altogether, whatever the list is narrowed to. */
  total: number | undefined
}

/** Where the lists are saved as files. */
const exports = {
  distlist: 'GET /api/v4/groups/export',
  resource: 'GET /api/v4/resources/export',
  folder: 'GET /api/v4/shared-folders/export',
} as const

const bulkObjects = { distlist: 'groups', resource: 'resources', folder: 'shared-folders' } as const

/** The list of all objects of a kind: title, tools, rows, and what to do when there are none. */
export function ObjectList<Row extends { id: number; name: string }, S extends string, V extends ObjectState>(
  props: ObjectListProps<Row, S, V>,
) {
  const { kind, columns, query, navigation, sorts, states, total } = props
  const t = useT()
  const { obstacle } = useCreation()
  const { search, filters } = navigation.place
  const bulk = useBulk<Row>({
    objects: bulkObjects[kind.name],
    name: ({ name }) => name,
    search,
    status: filters.status,
  })
  const isEmpty = total === 0 && search === '' && filters.status === undefined
  return (
    <>
      <PageHead
        title={t(kind.title)}
        facts={<Facts kind={kind} total={total} />}
        actions={
          !isEmpty && (
            <>
              {kind.name === 'distlist' && !obstacle && hasPermission('users') && (
                <ButtonLink to="/import" search={{ kind: 'groups' }} icon={IconFileImport}>
                  {t('bulk.import')}
                </ButtonLink>
              )}
              <ExportMenu route={exports[kind.name]} search={search} status={filters.status} />
              {!obstacle && <NewButton kind={kind} />}
            </>
          )
        }
      />
      {obstacle && !isEmpty && (
        <div className="directory-note">
          <ObstacleNote of={obstacle} kind={kind.name} />
        </div>
      )}
      <DataList
        label={t(kind.title)}
        columns={columns}
        rowKey={({ id }) => id}
        query={query}
        navigation={navigation}
        sorts={sorts}
        choice={bulk.choice}
        tools={
          <>
            <ListSearch
              label={t('directory.search', { kind: kind.name })}
              placeholder={t('directory.searchPlaceholder')}
              value={search}
              onSearch={(text) => navigation.go({ search: text }, { replace: search !== '' && text !== '' })}
            />
            <ListFilter
              label={t('directory.status')}
              all={t('directory.anyStatus')}
              options={states.map((state) => ({ value: state, label: t(stateLabels[state]) }))}
              value={filters.status}
              onFilter={(value) =>
                navigation.go({ filters: { status: states.find((one) => one === value) } })
              }
            />
          </>
        }
        empty={
          obstacle ? (
            <ObstacleState of={obstacle} kind={kind.name} />
          ) : (
            <EmptyState
              title={t('directory.emptyTitle', { kind: kind.name })}
              action={
                <span className="row wrap">
                  <NewButton kind={kind} />
                  <ButtonLink to={kind.list} search={{ status: 'deleted' }} variant="quiet">
                    {t('directory.showDeleted')}
                  </ButtonLink>
                </span>
              }
            >
              {t('directory.emptyText', { kind: kind.name })}
            </EmptyState>
          )
        }
      />
      {bulk.dialog}
    </>
  )
}

function Facts({ kind, total }: { kind: Kind; total: number | undefined }) {
  const t = useT()
  if (total === undefined) return '\u00a0'
  if (total === 0) return t('directory.newLead', { kind: kind.name })
  return t('directory.count', { kind: kind.name, count: total })
}

function NewButton({ kind }: { kind: Kind }) {
  const t = useT()
  return (
    <ButtonLink to={`${kind.page}/new`} variant="primary" icon={IconPlus}>
      {t('directory.new', { kind: kind.name })}
    </ButtonLink>
  )
}
