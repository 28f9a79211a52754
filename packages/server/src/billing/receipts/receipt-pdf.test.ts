import { inflateSync } from 'node:zlib'
import { languages } from '@gatehouse/contract/language'
import { describe, expect, test } from 'vitest'
import { completeReceipt, type ReceiptDraft, type ReceiptLine } from './receipt-facts.ts'
import { receiptPdf } from './receipt-pdf.ts'

const look = { accent: '#0a6270' }

const line = (facts: Partial<ReceiptLine> = {}): ReceiptLine => ({
  paymentId: 'tr_1',
  date: '2026-02-03',
  kind: 'oneoff',
  refersTo: null,
  rate: 810,
  net: 925,
  vat: 75,
  gross: 1000,
  ...facts,
})

const receipt = (lines: ReceiptLine[], facts: Partial<ReceiptDraft> = {}) =>
  completeReceipt(
    {
      kind: 'receipt',
      period: '2026-02',
      issuedOn: '2026-03-01',
      currency: 'CHF',
      service: 'Gatehouse',
      company: { name: 'Gatehouse AG', address: ['Lane 2'], details: ['VAT 1'], email: 'bills@example.test' },
      customer: { number: 7, name: 'Łukasz Żółć', address: ['Way 1'], country: 'PL', language: 'de' },
      lines,
      ...facts,
    },
    'R2026-000001',
  )

/** A PDF's uncompressed text, to count pages and to find characters that are missing in a font. */
function unpack(pdf: Buffer): string {
  const text = pdf.toString('latin1')
  return text.replaceAll(/stream\r?\n([\s\S]*?)\r?\nendstream/g, (whole, data: string) => {
    try {
      return inflateSync(Buffer.from(data, 'latin1')).toString('latin1')
    } catch {
      return whole
    }
  })
}

const pages = (pdf: Buffer) => unpack(pdf).match(/\/Type \/Page\b/g)?.length ?? 0

describe('a receipt as PDF', () => {
  test.each(languages)('is a tagged file in %s with its language and title', async (language) => {
    const pdf = await receiptPdf([receipt([line()])], language, look)
    expect(pdf.subarray(0, 5).toString()).toBe('%PDF-')
    const text = unpack(pdf)
    expect(text).toContain('/StructTreeRoot')
    expect(text).toMatch(/\/Lang \((en-CH|de-DE|fr-CH|it-CH)\)/)
    expect(text).toContain('R2026-000001')
    expect(pages(pdf)).toBe(1)
  })

  test('has as many pages as its lines need, and starts each document on a new page', async () => {
    const many = Array.from({ length: 60 }, (_, index) => line({ paymentId: `tr_${index}` }))
    const long = pages(await receiptPdf([receipt(many)], 'de', look))
    expect(long).toBeGreaterThan(2)
    const note = receipt(
      [line({ kind: 'refund', refersTo: 'R2026-000001', net: -925, vat: -75, gross: -1000 })],
      {
        kind: 'credit-note',
      },
    )
    expect(pages(await receiptPdf([receipt(many), note], 'de', look))).toBe(long + 1)
  })

  test('is identical for the same content at any time', async () => {
    const drawings = await Promise.all([1, 2].map(() => receiptPdf([receipt([line()])], 'fr', look)))
    const content = drawings.map((pdf) => unpack(pdf).replaceAll(/\/ID \[.*?\]/gs, ''))
    expect(content[0]).toBe(content[1])
  })

  test('wraps names that are wider than the page', async () => {
    const facts = receipt([line()], {
      customer: {
        number: 7,
        name: 'x'.repeat(512),
        address: [`${'y '.repeat(400)}`],
        country: null,
        language: null,
      },
      company: { name: 'N'.repeat(200), address: [], details: ['d'.repeat(500)], email: null },
    })
    expect(pages(await receiptPdf([facts], 'en', look))).toBeGreaterThan(0)
  })
})
