import type { PublicDomain } from '@gatehouse/contract/staff/tenant-sign-up'
import IconRefresh from '@tabler/icons-react/dist/esm/icons/IconRefresh.mjs'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { moment } from '../../../i18n/format.ts'
import { useT } from '../../../i18n/i18n.ts'
import { call } from '../../../platform/api/api.ts'
import { ApiError } from '../../../platform/api/api-error.ts'
import { reportFieldErrors } from '../../../platform/api/report-error.ts'
import { useAct } from '../../../platform/api/use-act.ts'
import { Button } from '../../../ui/buttons/button.tsx'
import { toasts } from '../../../ui/toasts/store.ts'
import { ConfirmNameDialog } from '../confirm-name-dialog.tsx'
import { reasons } from '../names-panel.tsx'
import { ProofRecord } from '../proof-record.tsx'
import { publicDomainsQuery } from './public-domains-query.ts'

export interface WaitingDomainProps {
  tenant: number
  domain: PublicDomain
  /** The reader may confirm without DNS. */
  canConfirm: boolean
}

/** Instructions for an unverified public domain. */
export function WaitingDomain({ tenant, domain, canConfirm }: WaitingDomainProps) {
  const t = useT()
  const client = useQueryClient()
  const [confirming, setConfirming] = useState(false)
  const giveUp = useAct('DELETE /api/v4/tenants/{id}/public-domains/{domain}', [
    publicDomainsQuery(tenant).queryKey,
  ])
  const { name, reason, record, checked_at: at } = domain
  const params = { id: String(tenant), domain: name }
  const reread = () => client.invalidateQueries({ queryKey: publicDomainsQuery(tenant).queryKey })
  const check = async () => {
    try {
      const route = 'POST /api/v4/tenants/{id}/public-domains/{domain}/check'
      const { status, message } = await call(route, { params, body: {} })
      toasts.show({ type: status, message })
    } catch (error) {
      // another tenant has it by now
      if (error instanceof ApiError) reportFieldErrors(error)
    }
    await reread()
  }
  return (
    <>
      <p>{t(reason === null ? 'offer.domainWaits' : reasons[reason])}</p>
      {record && <ProofRecord name={name} record={record} />}
      <div className="tenants-proof-actions">
        <Button icon={IconRefresh} busyLabel={t('tenants.checking')} onPress={check}>
          {t('words.checkNow')}
        </Button>
        {canConfirm && (
          <Button variant="quiet" onPress={() => setConfirming(true)}>
            {t('tenants.confirmStaff')}
          </Button>
        )}
        <Button variant="quiet" onPress={() => giveUp({ params })}>
          {t('words.remove')}
        </Button>
        {at !== null && <span className="text-2 small">{t('tenants.checkedAt', { time: moment(at) })}</span>}
      </div>
      {confirming && (
        <ConfirmNameDialog
          name={name}
          confirm={(why) =>
            call('POST /api/v4/tenants/{id}/public-domains/{domain}/confirm', {
              params,
              body: { reason: why },
            })
          }
          onConfirmed={() => void reread()}
          onClose={() => setConfirming(false)}
        />
      )}
    </>
  )
}
