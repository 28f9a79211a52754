import type { PaymentMethod } from '@gatehouse/contract/billing/payments'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { methodIcons, methodName } from '../../../../domain/payments/method-choices.tsx'
import { useT } from '../../../../i18n/i18n.ts'
import { canContactSupport } from '../../../../platform/config.ts'
import { Button, ButtonLink } from '../../../../ui/buttons/button.tsx'
import { Icon } from '../../../../ui/icon.tsx'
import { LoadFailed } from '../../../../ui/page/load-failed.tsx'
import { Note } from '../../../../ui/page/note.tsx'
import { Loading, Skeleton } from '../../../../ui/page/skeleton.tsx'

export interface WithMethodsProps {
  query: UseQueryResult<PaymentMethod[]>
  children: (methods: readonly [PaymentMethod, ...PaymentMethod[]]) => ReactNode
}

/** Renders children that need the payment methods, once loaded. */
export function WithMethods({ query, children }: WithMethodsProps) {
  const t = useT()
  const [first, ...rest] = query.data ?? []
  if (first) return children([first, ...rest])
  if (query.isError) return <LoadFailed onRetry={query.refetch} />
  if (query.data) {
    return (
      <Note
        tone="warning"
        title={t('payment.noMethod')}
        actions={
          canContactSupport() && <ButtonLink to="/support/contact">{t('words.contactSupport')}</ButtonLink>
        }
      >
        {t('payment.noMethodText')}
      </Note>
    )
  }
  return (
    <Loading>
      <div className="stack">
        {['38%', '52%', '44%'].map((width) => (
          <Skeleton key={width} width={width} height={18} />
        ))}
      </div>
    </Loading>
  )
}

/** The chosen method, with a button to change it if there is a choice. */
export function ChosenMethod({
  method,
  onChange,
}: {
  method: PaymentMethod
  onChange?: (() => void) | undefined
}) {
  const t = useT()
  return (
    <p className="payment-method">
      <Icon of={methodIcons[method.id]} />
      <b>{methodName(method, t)}</b>
      {onChange && (
        <Button size="small" variant="quiet" onPress={onChange}>
          {t('payment.otherMethod')}
        </Button>
      )}
    </p>
  )
}
