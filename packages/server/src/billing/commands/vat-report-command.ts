import { type Command, UsageError } from '../../platform/cli/command.ts'
import { readArguments, readNumber } from '../../platform/cli/options.ts'
import { createTranslator } from '../../platform/i18n/translator.ts'
import { parseReportPeriod, vatReportCsv } from '../vat/vat-report.ts'
import { vatReportHead } from '../vat/vat-report-routes.ts'
import { countUnreceipted, readVatReport } from '../vat/vat-store.ts'

/** VAT of several months by country and rate. */
export const vatReportCommand: Command = {
  name: 'vat:report',
  usage: 'vat:report <YYYY | YYYY-Qn | YYYY-MM> [--tenant=<number>] [--csv]',
  summary: 'show net, VAT and gross of the receipts of a period by country, rate and currency',
  needs: 1,
  async run({ args, db, print, answer }) {
    const { words, options } = readArguments(args, ['tenant', 'csv'], ['csv'])
    const period = parseReportPeriod(words[0] ?? '')
    if (period === undefined) throw new UsageError(`${words[0]} is not a year, quarter or month.`)
    const tenantId = readNumber(options.tenant)
    const lines = await readVatReport(db, period, tenantId)
    const write = answer.list()
    if (options.csv !== undefined) {
      // printed lines need no trailing line break
      const rows = vatReportCsv(lines, vatReportHead(createTranslator('en')))
      for (const [index, row] of rows.entries()) write({ ...lines[index - 1] }, row.trimEnd())
      return
    }
    for (const { country, currency, rate, payments, net, vat, gross } of lines) {
      const percent = rate === null ? 'no VAT' : `${rate / 100}%`
      write(
        { country, currency, rate, payments, net, vat, gross },
        `${country ?? '-'}  ${percent}  ${payments} payments  net ${net}  VAT ${vat}  gross ${gross} ${currency}`,
      )
    }
    const open = await countUnreceipted(db, period, tenantId)
    if (open > 0) print(`${open} payments have no receipt yet and are not included.`)
  },
}
