import type { OAuthClient } from '@gatehouse/contract/sessions/oauth'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import { day } from '../../i18n/format.ts'
import { useT } from '../../i18n/i18n.ts'
import { useApiPage } from '../../platform/api/query.tsx'
import { ButtonLink } from '../../ui/buttons/button.tsx'
import { DataList } from '../../ui/data-table/data-list.tsx'
import type { Column } from '../../ui/data-table/data-table.tsx'
import { useListPlace } from '../../ui/data-table/list-place.ts'
import { ListSearch } from '../../ui/data-table/list-search.tsx'
import { TableLink } from '../../ui/data-table/table-link.tsx'
import { EmptyState } from '../../ui/page/empty-state.tsx'
import { PageHead } from '../../ui/page/page-head.tsx'
import { Tag } from '../../ui/page/panel.tsx'

const options = { sorts: ['name'], filters: {} } as const

/** Applications that may ask users for consent. */
export function ClientsPage() {
  const t = useT()
  const navigation = useListPlace(options)
  const { page, size, search } = navigation.place
  const query = useApiPage('GET /api/v4/oauth/clients', { query: { page, size, search: search || null } })
  return (
    <>
      <PageHead
        title={t('cockpit.clients')}
        facts={t('clients.facts')}
        actions={
          <ButtonLink to="/oauth-client/new" variant="primary" icon={IconPlus}>
            {t('clients.new')}
          </ButtonLink>
        }
      />
      <DataList
        label={t('cockpit.clients')}
        columns={useColumns()}
        rowKey={({ id }) => id}
        query={query}
        navigation={navigation}
        tools={
          <ListSearch
            label={t('clients.search')}
            placeholder={t('words.name')}
            value={search}
            maxLength={64}
            onSearch={(text) => navigation.go({ search: text })}
          />
        }
        empty={<EmptyState title={t('clients.empty')}>{t('clients.emptyText')}</EmptyState>}
      />
    </>
  )
}

function useColumns(): readonly Column<OAuthClient>[] {
  const t = useT()
  return [
    {
      name: 'name',
      label: t('words.name'),
      phone: 'main',
      cell: ({ id, name, redirect_uris: [address] }) => (
        <>
          <TableLink to={`/oauth-client/${id}`}>{name}</TableLink>
          <span className="data-second">{address ?? t('clients.grantDevice')}</span>
        </>
      ),
    },
    {
      name: 'kind',
      label: t('clients.kind'),
      phone: 'meta',
      cell: ({ confidential }) => t(confidential ? 'clients.confidential' : 'clients.public'),
    },
    {
      name: 'state',
      label: t('words.status'),
      phone: 'aside',
      cell: ({ disabled }) => (disabled ? <Tag>{t('clients.disabled')}</Tag> : t('clients.enabled')),
    },
    {
      name: 'created',
      label: t('clients.created'),
      phone: 'hidden',
      align: 'end',
      cell: ({ created_at: created }) => <span className="text-2 nowrap">{day(created)}</span>,
    },
  ]
}
