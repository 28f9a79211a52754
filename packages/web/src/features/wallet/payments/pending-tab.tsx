import type { PendingPayment } from '@gatehouse/contract/billing/payments'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { day, moment, price, toDate } from '../../../i18n/format.ts'
import { useT } from '../../../i18n/i18n.ts'
import { Button } from '../../../ui/buttons/button.tsx'
import { DataList } from '../../../ui/data-table/data-list.tsx'
import type { Column } from '../../../ui/data-table/data-table.tsx'
import { useListPlace } from '../../../ui/data-table/list-place.ts'
import { EmptyState } from '../../../ui/page/empty-state.tsx'
import { CancelPaymentDialog } from './cancel-payment-dialog.tsx'
import { CheckoutLink } from './pay/checkout-link.tsx'
import { pendingQuery } from './payment-calls.ts'

const options = { sorts: ['time'], filters: {}, order: 'desc' } as const

/** Pending payments, each with a link to its page. */
export function PendingTab() {
  const t = useT()
  const navigation = useListPlace(options)
  const { page, size } = navigation.place
  const query = useQuery({ ...pendingQuery(page, size), placeholderData: keepPreviousData })
  const [chosen, choose] = useState<PendingPayment>()
  return (
    <>
      <DataList
        label={t('payment.pending')}
        columns={useColumns(choose)}
        rowKey={({ id }) => id}
        query={query}
        navigation={navigation}
        empty={<EmptyState title={t('payment.pendingEmpty')}>{t('payment.pendingEmptyText')}</EmptyState>}
      />
      {chosen && <CancelPaymentDialog payment={chosen} onClose={() => choose(undefined)} />}
    </>
  )
}

function useColumns(onCancel: (payment: PendingPayment) => void): readonly Column<PendingPayment>[] {
  const t = useT()
  return [
    {
      name: 'time',
      label: t('words.date'),
      phone: 'hidden',
      width: '21%',
      cell: ({ createdAt }) => <span className="text-2 nowrap">{moment(createdAt)}</span>,
    },
    {
      name: 'description',
      label: t('words.description'),
      phone: 'main',
      cell: (payment) => (
        <>
          <span className="medium">{payment.description}</span>
          <span className="data-second">
            <span className="wallet-phone payment-day">{day(toDate(payment.createdAt))}</span>
            <CheckoutLink payment={payment} />
          </span>
        </>
      ),
    },
    {
      name: 'amount',
      label: t('words.amount'),
      phone: 'aside',
      align: 'end',
      cell: ({ amount, currency }) => price(amount, currency),
    },
    {
      name: 'cancel',
      label: t('words.cancel'),
      phone: 'aside',
      align: 'end',
      width: '120px',
      cell: (payment) =>
        payment.isCancelable && (
          <Button size="small" variant="quiet" onPress={() => onCancel(payment)}>
            <span aria-hidden="true">{t('words.cancel')}</span>
            <span className="visually-hidden">
              {t('payment.cancelNamed', { amount: price(payment.amount, payment.currency) })}
            </span>
          </Button>
        ),
    },
  ]
}
