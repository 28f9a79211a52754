import type { PaymentMethodId } from '@gatehouse/contract/billing/payments'
import { useState } from 'react'
import { followHandOff } from '../../domain/payments/hand-off.ts'
import { MethodChoices } from '../../domain/payments/method-choices.tsx'
import { rememberPayment } from '../../domain/payments/remembered-payment.ts'
import { useT } from '../../i18n/i18n.ts'
import { call } from '../../platform/api/api.ts'
import { useApi } from '../../platform/api/query.tsx'
import { useRequestKey } from '../../platform/api/request-key.ts'
import { useReturn } from '../../platform/navigation/use-return.ts'
import { Button } from '../../ui/buttons/button.tsx'

export interface SetUpAgainProps {
  /** No payment was started before. */
  isFirst?: boolean
  /** The last payment is still pending and may have been abandoned. */
  isOpen?: boolean
  /** A payment was started without leaving the page. */
  onBegun: () => unknown
}

/** Restarts the setup of auto-payment, with another method if there is a choice. */
export function SetUpAgain({ isFirst = false, isOpen = false, onBegun }: SetUpAgainProps) {
  const t = useT()
  const methods = useApi('GET /api/v4/payments/methods', { query: { type: 'recurring' } })
  const offered = methods.data ?? []
  const [chosen, choose] = useState<string>()
  const [visit, setVisit] = useState(0)
  const [page, setPage] = useState<string>()
  const requestKey = useRequestKey()
  const methodId: PaymentMethodId | undefined = (offered.find(({ id }) => id === chosen) ?? offered[0])?.id
  useReturn(() => setVisit((count) => count + 1))

  const begin = async () => {
    const body = { methodId }
    const handOff = await call('POST /api/v4/payments/mandate/reset', {
      body,
      // a payment abandoned on the provider's page is started again
      headers: requestKey({ ...body, visit }),
    })
    rememberPayment(handOff.id)
    const course = followHandOff(handOff)
    if (course.kind === 'leaving') return new Promise(() => {})
    if (course.kind === 'window') setPage(course.url)
    return onBegun()
  }

  return (
    <>
      {offered.length > 1 && !isOpen && (
        <MethodChoices
          id="reset_methodId"
          methods={offered}
          currency={offered[0]?.currency ?? ''}
          value={methodId ?? ''}
          onValue={choose}
        />
      )}
      {isOpen && <p className="small text-2">{t('payment.leftOpen')}</p>}
      <div className="row wrap">
        <Button
          // a page restored from the back/forward cache must not stay busy
          key={visit}
          variant={isOpen ? 'default' : 'primary'}
          busyLabel={t('payment.sending')}
          onPress={begin}
        >
          {t(isFirst ? 'payment.autoSetUp' : isOpen ? 'payment.openAgain' : 'words.tryAgain')}
        </Button>
        {page !== undefined && (
          <a href={page} target="_blank" rel="noopener noreferrer" className="button button-default">
            {t('payment.windowOpen')}
          </a>
        )}
      </div>
    </>
  )
}
