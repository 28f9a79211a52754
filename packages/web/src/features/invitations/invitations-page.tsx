import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import { useState } from 'react'
import { useT } from '../../i18n/i18n.ts'
import { useApiPage } from '../../platform/api/query.tsx'
import { useAsked } from '../../platform/navigation/use-asked.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { useListPlace } from '../../ui/data-table/list-place.ts'
import { SearchedList } from '../../ui/data-table/searched-list.tsx'
import { EmptyState } from '../../ui/page/empty-state.tsx'
import { PageHead } from '../../ui/page/page-head.tsx'
import { useInvitationColumns } from './invitation-columns.tsx'
import { looks, states } from './invitation-state.ts'
import { InviteDialog } from './invite-dialog.tsx'
import './invitations.css'

const options = { sorts: ['created'], filters: { state: states }, order: 'desc' } as const

/** Invitations of the reseller and their state. */
export function InvitationsPage() {
  const t = useT()
  const [isOpened, setOpened] = useState(false)
  const [isAsked, forgetAsked] = useAsked('invite')
  const navigation = useListPlace(options)
  const { page, size, search, filters } = navigation.place
  const query = useApiPage(
    'GET /api/v4/invitations',
    {
      query: { page, size, search: search || null, state: filters.state ?? null },
    },
    { staleTime: 0 },
  )
  const invite = (
    <Button variant="primary" icon={IconPlus} onPress={() => setOpened(true)}>
      {t('invitations.new')}
    </Button>
  )
  const isEmpty = query.data?.list.length === 0 && search === '' && filters.state === undefined
  return (
    <>
      <PageHead title={t('words.invitations')} facts={t('invitations.facts')} actions={!isEmpty && invite} />
      <SearchedList
        label={t('words.invitations')}
        columns={useInvitationColumns()}
        rowKey={({ id }) => id}
        query={query}
        navigation={navigation}
        search={{ label: t('invitations.search'), placeholder: t('invitations.searchText') }}
        filter={{
          label: t('words.status'),
          all: t('words.all'),
          options: states.map((state) => ({ value: state, label: t(looks[state].label) })),
          value: filters.state,
          onFilter: (state) => navigation.go({ filters: { state } }),
        }}
        empty={
          <EmptyState title={t('invitations.empty')} action={invite}>
            {t('invitations.emptyText')}
          </EmptyState>
        }
      />
      {(isOpened || isAsked) && (
        <InviteDialog
          onClose={() => {
            setOpened(false)
            forgetAsked()
          }}
        />
      )}
    </>
  )
}
