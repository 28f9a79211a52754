import type { ReferralProgram } from '@gatehouse/contract/billing/referrals'
import { useT } from '../../i18n/i18n.ts'
import { useApi } from '../../platform/api/query.tsx'
import { CopyValue } from '../../ui/buttons/copy-value.tsx'
import { EmptyState } from '../../ui/page/empty-state.tsx'
import { LoadFailed } from '../../ui/page/load-failed.tsx'
import { Panel } from '../../ui/page/panel.tsx'
import { Loading, Skeleton } from '../../ui/page/skeleton.tsx'
import './referral-tab.css'

/** Referral programmes that reward the wallet's owner for sign-ups with their code. */
export function ReferralTab({ id }: { id: string }) {
  const t = useT()
  const query = useApi('GET /api/v4/wallets/{id}/referral-programs', { params: { id } }, { staleTime: 0 })
  const programs = query.data?.list
  if (query.isError && !programs) return <LoadFailed onRetry={() => query.refetch()} />
  if (!programs) return <Waiting />
  return (
    <Panel title={t('words.referralProgrammes')} flush={programs.length > 0}>
      {programs.length === 0 ? (
        <EmptyState title={t('wallet.referralsEmpty')}>{t('wallet.referralsEmptyText')}</EmptyState>
      ) : (
        <ul className="referrals">
          {programs.map((program) => (
            <Program key={program.id} program={program} />
          ))}
        </ul>
      )}
    </Panel>
  )
}

function Program({ program: { name, description, url, qrCode, refcount } }: { program: ReferralProgram }) {
  const t = useT()
  return (
    <li>
      <img src={qrCode} alt={t('wallet.referralPicture', { name })} title={url} width={100} height={100} />
      <div className="stack stack-tight">
        <h3>{name}</h3>
        <p className="text-2">{description}</p>
        <CopyValue text={url} label={t('wallet.referralLink', { name })} boxed />
        <p className="small text-3">{t('wallet.referralCount', { count: refcount })}</p>
      </div>
    </li>
  )
}

function Waiting() {
  const t = useT()
  return (
    <Panel title={t('words.referralProgrammes')} flush busy>
      <Loading>
        <div className="referrals">
          <div>
            <Skeleton width={100} height={100} />
            <div className="stack stack-tight">
              <Skeleton width="30%" height={19} />
              <Skeleton width="60%" />
              <Skeleton height={34} />
            </div>
          </div>
        </div>
      </Loading>
    </Panel>
  )
}
