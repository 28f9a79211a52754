import { useT } from '../../i18n/i18n.ts'
import { variant } from '../../platform/config.ts'
import { useUser } from '../../platform/session/auth.ts'
import { useListPlace } from '../../ui/data-table/list-place.ts'
import { PageHead } from '../../ui/page/page-head.tsx'
import { Board } from './board.tsx'
import { CustomerResults } from './customer-results.tsx'
import { CustomerSearch } from './customer-search.tsx'
import { NewServiceUser } from './new-service-user.tsx'
import { OtherHits } from './other-hits.tsx'
import './cockpit-page.css'

const options = { sorts: ['match'], filters: {} } as const

/** Where staff begin: the search for a customer, and everything else that they may open. */
export function CockpitPage() {
  const t = useT()
  const user = useUser()
  const navigation = useListPlace(options)
  const { search } = navigation.place
  if (!user) return null
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
      <Board user={user} />
    </>
  )
}
