import { displayAddress } from '@gatehouse/contract/canonical-address'
import { balance } from '../../i18n/format.ts'
import { useT } from '../../i18n/i18n.ts'
import { useApi } from '../../platform/api/query.tsx'
import { Link } from '../../router/link.tsx'
import { LoadFailed } from '../../ui/page/load-failed.tsx'
import { Loading, Skeleton } from '../../ui/page/skeleton.tsx'

/** A tenant's monthly settlement by customer. */
export function SettlementLines({ id, period }: { id: string; period: string }) {
  const t = useT()
  const { data, isError, refetch } = useApi('GET /api/v4/tenants/{id}/settlements/{period}', {
    params: { id, period },
  })
  if (isError) return <LoadFailed onRetry={refetch} />
  if (!data) {
    return (
      <Loading>
        <Skeleton width="60%" height={13} />
      </Loading>
    )
  }
  if (data.lines.length === 0) return <p className="small text-2">{t('tenants.noLines')}</p>
  return (
    <div className="tenants-lines">
      <table>
        <thead>
          <tr>
            <th scope="col">{t('words.customer')}</th>
            <th scope="col">{t('tenants.charged')}</th>
            <th scope="col">{t('tenants.fees')}</th>
            <th scope="col">{t('tenants.profit')}</th>
          </tr>
        </thead>
        <tbody>
          {data.lines.map(({ userId, email, charged, fees, profit }) => (
            <tr key={userId}>
              <th scope="row">
                <Link to={`/user/${userId}`}>{displayAddress(email)}</Link>
              </th>
              <td>{balance(charged, data.currency)}</td>
              <td>{balance(fees, data.currency)}</td>
              <td>{balance(profit, data.currency)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
