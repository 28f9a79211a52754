import type { PaymentPreview } from '@gatehouse/contract/billing/payments'
import type { ReactNode } from 'react'
import { QuoteFailed } from '../../../domain/quotes/quote-failed.tsx'
import type { Quote } from '../../../domain/quotes/use-quote.ts'
import { useT } from '../../../i18n/i18n.ts'
import { Loading, Skeleton } from '../../../ui/page/skeleton.tsx'
import '../../../domain/quotes/quotes.css'

export interface OutcomeProps {
  preview: Quote<PaymentPreview>
  /** Lines that are expected, while nothing is known. */
  lines: number
  children: (answer: PaymentPreview) => ReactNode
}

/** What the server says that will be charged: of an earlier amount it is dimmed, and without an answer it says so. */
export function Outcome({ preview: { answer, pending, failed, retry }, lines, children }: OutcomeProps) {
  const t = useT()
  return (
    <div
      className="payment-outcome quote"
      aria-live="polite"
      aria-busy={pending}
      data-pending={(pending && answer !== undefined) || undefined}
    >
      {answer ? (
        children(answer)
      ) : failed ? (
        <QuoteFailed text={t('payment.noPreview')} onRetry={retry} />
      ) : (
        <OutcomeSkeleton lines={lines} />
      )}
    </div>
  )
}

function OutcomeSkeleton({ lines }: { lines: number }) {
  return (
    <Loading>
      <div className="facts">
        {Array.from({ length: lines }, (_, line) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: they never change places
          <div key={line}>
            <Skeleton width={110} height={13} />
            <Skeleton width={72} height={13} />
          </div>
        ))}
      </div>
    </Loading>
  )
}
