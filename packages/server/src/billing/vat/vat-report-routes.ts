import type { Db } from '../../platform/db/database.ts'
import type { Api } from '../../platform/http/api.ts'
import { NotFound } from '../../platform/http/errors.ts'
import type { Translate } from '../../platform/i18n/translator.ts'
import { parseReportPeriod, vatReportCsv } from './vat-report.ts'
import { countUnreceipted, readVatReport } from './vat-store.ts'

/** The VAT report in the admin cockpit. */
export function serveVatReports(api: Api, { db }: { readonly db: Db }): void {
  const periodOf = (text: string) => {
    const period = parseReportPeriod(text)
    if (period === undefined) throw new NotFound()
    return period
  }

  api.serve('GET /api/v4/vat-reports/{period}', async ({ params }) => {
    const period = periodOf(params.period)
    return {
      status: 'success' as const,
      period: params.period,
      lines: await readVatReport(db, period),
      unreceipted: await countUnreceipted(db, period),
    }
  })

  api.serveDownload('GET /api/v4/vat-reports/{period}/csv', async ({ params, t }) => {
    const lines = await readVatReport(db, periodOf(params.period))
    const rows = vatReportCsv(lines, vatReportHead(t))
    return { filename: `vat-${params.period}.csv`, parts: inOnePart(rows) }
  })
}

/** Column names. */
export function vatReportHead(t: Translate): string[] {
  return [
    t('vat.country'),
    t('vat.rate'),
    t('vat.payments'),
    t('vat.net'),
    t('vat.vat'),
    t('vat.gross'),
    t('vat.currency'),
  ]
}

async function* inOnePart(rows: readonly string[]): AsyncGenerator<string> {
  yield rows.join('')
}
