import type { ReceiptMonth } from '@gatehouse/contract/billing/receipts'
import IconDownload from '@tabler/icons-react/dist/esm/icons/IconDownload.mjs'
import { balance, day } from '../../i18n/format.ts'
import { useT } from '../../i18n/i18n.ts'
import { download } from '../../platform/api/download.ts'
import { useApiPage } from '../../platform/api/query.tsx'
import { Button } from '../../ui/buttons/button.tsx'
import { DataList } from '../../ui/data-table/data-list.tsx'
import type { Column } from '../../ui/data-table/data-table.tsx'
import { useListPlace } from '../../ui/data-table/list-place.ts'
import { EmptyState } from '../../ui/page/empty-state.tsx'
import './entries.css'

const options = { sorts: ['period'], filters: {}, order: 'desc' } as const

/** Documents of past months, one PDF per month. */
export function ReceiptList({ id }: { id: string }) {
  const t = useT()
  const navigation = useListPlace(options)
  const { page, size } = navigation.place
  const query = useApiPage('GET /api/v4/wallets/{id}/receipts', { params: { id }, query: { page, size } })
  return (
    <>
      <DataList
        label={t('wallet.receipts')}
        columns={useColumns(id)}
        rowKey={({ period }) => period}
        query={query}
        navigation={navigation}
        empty={<EmptyState title={t('wallet.receiptsEmpty')}>{t('wallet.receiptsEmptyText')}</EmptyState>}
      />
      {query.data && query.data.list.length > 0 && (
        <p className="wallet-hint small text-3">{t('wallet.receiptsWhen')}</p>
      )}
    </>
  )
}

function useColumns(id: string): readonly Column<ReceiptMonth>[] {
  const t = useT()
  return [
    {
      name: 'period',
      label: t('words.month'),
      phone: 'main',
      cell: ({ period }) => <span className="medium">{monthName(period)}</span>,
    },
    {
      name: 'documents',
      label: t('wallet.documents'),
      phone: 'meta',
      width: '44%',
      cell: ({ documents, currency }) => (
        <ul className="small text-2">
          {documents.map(({ number, kind, amount }) => (
            <li key={number}>
              {kind === 'receipt'
                ? t('wallet.receiptNumber', { number })
                : t('wallet.creditNote', { number, amount: balance(amount, currency) })}
            </li>
          ))}
        </ul>
      ),
    },
    {
      name: 'amount',
      label: t('words.amount'),
      phone: 'aside',
      align: 'end',
      cell: ({ amount, currency }) => balance(amount, currency),
    },
    {
      name: 'download',
      label: t('wallet.pdf'),
      phone: 'aside',
      align: 'end',
      width: '64px',
      cell: ({ period }) => (
        <Button
          variant="quiet"
          icon={IconDownload}
          label={t('wallet.download', { period: monthName(period) })}
          onPress={() => downloadReceipt(id, period)}
        />
      ),
    },
  ]
}

async function downloadReceipt(id: string, period: string): Promise<void> {
  const route = 'GET /api/v4/wallets/{id}/receipts/{period}'
  await download(route, { params: { id, period } })
}

/** `2026-10` as "October 2026". */
function monthName(period: string): string {
  return day(`${period}-01`, { month: 'long', year: 'numeric', timeZone: 'UTC' })
}
