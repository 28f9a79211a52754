import { useT } from '../../../i18n/i18n.ts'
import { useApi } from '../../../platform/api/query.tsx'
import { variant } from '../../../platform/config.ts'
import { useUser } from '../../../platform/session/auth.ts'
import { useListPlace } from '../../../ui/data-table/list-place.ts'
import { LoadFailed } from '../../../ui/page/load-failed.tsx'
import { PageHead } from '../../../ui/page/page-head.tsx'
import { Attention } from '../attention.tsx'
import { staffAttention } from '../attention-items.ts'
import { Board } from '../board/board.tsx'
import { CustomerResults } from './customer-results.tsx'
import { CustomerSearch } from './customer-search.tsx'
import { NewServiceUser } from './new-service-user.tsx'
import { OtherHits } from './other-hits.tsx'
import { UnpaidPanel } from './unpaid-panel.tsx'
import './cockpit-page.css'
import '../dashboard-page.css'

const options = { sorts: ['match'], filters: {} } as const

/** Start page of staff: customer search, what needs attention, and all areas they may open. */
export function CockpitPage() {
  const t = useT()
  const user = useUser()
  const navigation = useListPlace(options)
  const { search } = navigation.place
  const { data, isError, isPending, refetch } = useApi('GET /api/v4/overview @staff', {}, { staleTime: 0 })
  if (!user) return null
  // while searching, only results are shown
  const isStart = data !== undefined && search === ''
  return (
    <>
      <PageHead
        title={t('cockpit.customers')}
        facts={t('customer.searchLead')}
        actions={variant() === 'admin' && <NewServiceUser />}
      />
      <CustomerSearch
        key={search}
        user={user}
        value={search}
        hint={t(variant() === 'admin' ? 'customer.searchHintAdmin' : 'customer.searchHintReseller')}
        onSearch={(text) => navigation.go({ search: text })}
      />
      {search !== '' && (
        <>
          <CustomerResults navigation={navigation} />
          <OtherHits text={search} />
        </>
      )}
      {isError && !data && (
        <div className="dashboard-failed">
          <LoadFailed onRetry={() => refetch()} reason={t('dashboard.failed')} />
        </div>
      )}
      {isStart && <Attention items={staffAttention(data, t)} />}
      <Board user={user} facts={{ staff: data, isLoading: isPending }} />
      {isStart && <UnpaidPanel unpaid={data.unpaid} degraded={data.degraded} />}
    </>
  )
}
