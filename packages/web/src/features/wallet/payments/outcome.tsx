import type { PaymentPreview } from '@gatehouse/contract/billing/payments'
import type { ReactNode } from 'react'
import { QuoteFailed } from '../../../domain/quotes/quote-failed.tsx'
import type { Quote } from '../../../domain/quotes/use-quote.ts'
import { useT } from '../../../i18n/i18n.ts'
import { Loading, Skeleton } from '../../../ui/page/skeleton.tsx'
import '../../../domain/quotes/quotes.css'

export interface OutcomeProps {
  preview: Quote<PaymentPreview>
  /** Number of skeleton lines while loading. */
  lines: number
  children: (answer: PaymentPreview) => ReactNode
}

/**
 * What will be charged according to the server; dimmed if it belongs to an earlier amount, with an error if
 * loading failed.
 */
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
          // biome-ignore lint/suspicious/noArrayIndexKey: the lines never move
          <div key={line}>
            <Skeleton width={110} height={13} />
            <Skeleton width={72} height={13} />
          </div>
        ))}
      </div>
    </Loading>
  )
}
