import type { Api } from '../../platform/http/api.ts'
import { whole } from '../../platform/http/bodies/download.ts'
import { NotFound } from '../../platform/http/errors.ts'
import { requireWallet } from '../wallet/wallet-access.ts'
import { issueReceiptsOf, type ReceiptParts } from './issue-receipts.ts'
import { isPeriod, periodOf } from './period.ts'
import { type ReceiptLook, receiptPdf } from './receipt-pdf.ts'
import { listPeriods, readReceipts } from './receipt-store.ts'

export interface ReceiptRouteParts extends ReceiptParts {
  readonly look: ReceiptLook
}

/** Months per page. */
const pageSize = 10

/** Receipts of a wallet, for those who may read it; reference api-billing-admin §2. */
export function serveReceipts(api: Api, parts: ReceiptRouteParts): void {
  const { db, clock } = parts

  api.serve('GET /api/v4/wallets/{id}/receipts', async ({ principal, params, query }) => {
    const wallet = await requireWallet(db, principal, params.id)
    await issueReceiptsOf(parts, wallet.id)
    const size = query.size ?? pageSize
    const page = query.page ?? 1
    const months = await listPeriods(db, wallet.id, { limit: size + 1, offset: (page - 1) * size })
    const list = months.slice(0, size)
    return { status: 'success', list, count: list.length, hasMore: months.length > size, page }
  })

  api.serveDownload(
    'GET /api/v4/wallets/{id}/receipts/{period}',
    async ({ principal, params, language, t }) => {
      const wallet = await requireWallet(db, principal, params.id)
      const { period } = params
      // issues missing ones, so that direct links needn't wait for the job
      if (!isPeriod(period) || period >= periodOf(clock.now())) throw new NotFound()
      await issueReceiptsOf(parts, wallet.id)
      const documents = await readReceipts(db, wallet.id, period)
      const [first] = documents
      if (first === undefined) throw new NotFound()
      const pdf = await receiptPdf(documents, language, parts.look)
      return {
        filename: t('receipt.file', { name: first.service, period }),
        plainName: `receipt-${period}.pdf`,
        parts: whole(pdf),
      }
    },
  )
}
