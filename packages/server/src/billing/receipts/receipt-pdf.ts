import { fileURLToPath } from 'node:url'
import { formatPrice } from '@gatehouse/contract/billing/price'
import { type Language, locales } from '@gatehouse/contract/language'
import PDFDocument from 'pdfkit'
import { createTranslator, type Translate } from '../../platform/i18n/translator.ts'
import { startOf } from './period.ts'
import type { ReceiptFacts, ReceiptLine } from './receipt-facts.ts'

/** The theme's design of a document. */
export interface ReceiptLook {
  /** `#rrggbb` */
  readonly accent: string
  /** A PNG file; absent for none. */
  readonly mark?: string
}

type Pdf = PDFKit.PDFDocument

interface Sheet {
  readonly pdf: Pdf
  readonly t: Translate
  readonly language: Language
  readonly look: ReceiptLook
  readonly facts: ReceiptFacts
}

const font = (weight: string) =>
  fileURLToPath(import.meta.resolve(`@expo-google-fonts/noto-sans/${weight}/NotoSans_${weight}.ttf`))

const ink = '#16262a'
const faint = '#51666b'
const rule = '#c9d4d5'

/** In points; A4 is 595 by 842. */
const margin = { top: 56, bottom: 72, left: 56, right: 56 }
const width = 595.28 - margin.left - margin.right

/** Position and width of the columns. */
const columns = {
  date: { x: margin.left, width: 66 },
  description: { x: margin.left + 70, width: 196 },
  net: { x: margin.left + 270, width: 68 },
  vat: { x: margin.left + 342, width: 68 },
  gross: { x: margin.left + 414, width: width - 414 },
} as const

/**
 * Renders the documents of a month in a language as one PDF, each starting on a new page. The output is
 * deterministic; the file is tagged for screen readers (PDF/UA structure, ISO 14289-1).
 */
export async function receiptPdf(
  documents: readonly ReceiptFacts[],
  language: Language,
  look: ReceiptLook,
): Promise<Buffer> {
  const t = createTranslator(language)
  const first = documents[0]
  if (first === undefined) throw new RangeError('no documents to render')
  const pdf = new PDFDocument({
    size: 'A4',
    margins: margin,
    bufferPages: true,
    autoFirstPage: false,
    pdfVersion: '1.7',
    tagged: true,
    displayTitle: true,
    lang: locales[language],
    info: {
      Title: documents.map((facts) => titleOf(facts, t)).join(', '),
      Author: first.company.name,
      CreationDate: new Date(`${first.issuedOn}T00:00:00Z`),
    },
  })
  const chunks: Buffer[] = []
  const finished = new Promise<Buffer>((resolve, reject) => {
    pdf.on('data', (chunk: Buffer) => chunks.push(chunk))
    pdf.on('end', () => resolve(Buffer.concat(chunks)))
    pdf.on('error', reject)
  })
  pdf.registerFont('regular', font('400Regular'))
  pdf.registerFont('bold', font('700Bold'))
  for (const facts of documents) drawDocument({ pdf, t, language, look, facts })
  pdf.end()
  return finished
}

export function titleOf(facts: ReceiptFacts, t: Translate): string {
  return t(`receipt.title-${facts.kind}`, { number: facts.number })
}

function drawDocument(sheet: Sheet): void {
  const { pdf } = sheet
  const firstPage = pdf.bufferedPageRange().count
  pdf.addPage()
  const root = pdf.struct('Document')
  pdf.addStructure(root)
  drawHead(sheet, root)
  drawTitle(sheet, root)
  drawLines(sheet, root)
  drawTotals(sheet, root)
  root.end()
  drawFeet(sheet, firstPage)
}

type Structure = PDFKit.PDFStructureElement

/** Draws content as a structure element. */
function element(
  sheet: Sheet,
  parent: Structure,
  type: string,
  draw: () => void,
  options: { alt?: string } = {},
): void {
  const { pdf } = sheet
  const content = pdf.markStructureContent(type)
  draw()
  pdf.endMarkedContent()
  const piece = pdf.struct(type, options, content)
  parent.add(piece)
  piece.end()
}

function drawHead(sheet: Sheet, root: Structure): void {
  const { pdf, facts, look } = sheet
  const { company } = facts
  if (look.mark !== undefined) {
    const mark = look.mark
    element(
      sheet,
      root,
      'Figure',
      () => pdf.image(mark, 595.28 - margin.right - 40, margin.top, { fit: [40, 40], align: 'right' }),
      { alt: company.name },
    )
  }
  element(sheet, root, 'P', () => {
    pdf
      .font('bold')
      .fontSize(13)
      .fillColor(ink)
      .text(company.name, margin.left, margin.top, { width: width - 60 })
    pdf.font('regular').fontSize(9).fillColor(faint)
    for (const line of company.address) pdf.text(line, { width: width - 60 })
  })
  const y = Math.max(pdf.y, margin.top + 44) + 14
  pdf.markContent('Artifact', { type: 'Layout' })
  pdf.rect(margin.left, y, width, 2).fill(look.accent)
  pdf.endMarkedContent()
  pdf.y = y + 22
}

function drawTitle(sheet: Sheet, root: Structure): void {
  const { pdf, facts, t, language } = sheet
  element(sheet, root, 'H1', () => {
    pdf.font('bold').fontSize(20).fillColor(ink).text(titleOf(facts, t), margin.left, pdf.y, { width })
  })
  element(sheet, root, 'P', () => {
    pdf
      .font('regular')
      .fontSize(11)
      .fillColor(faint)
      .text(t('receipt.period', { month: monthName(facts.period, language) }), { width })
  })
  const top = pdf.y + 18
  element(sheet, root, 'P', () => {
    pdf
      .font('regular')
      .fontSize(9)
      .fillColor(faint)
      .text(t('receipt.billed-to'), margin.left, top, { width: 260 })
    pdf.font('bold').fontSize(10.5).fillColor(ink).text(facts.customer.name, { width: 260 })
    pdf.font('regular').fontSize(10)
    for (const line of facts.customer.address) pdf.text(line, { width: 260 })
    const country = facts.customer.country
    if (country !== null && facts.customer.address.length > 0) {
      pdf.text(new Intl.DisplayNames([locales[language]], { type: 'region' }).of(country) ?? country, {
        width: 260,
      })
    }
  })
  const bottom = pdf.y
  const right = margin.left + 290
  element(sheet, root, 'P', () => {
    let y = top
    for (const [label, value] of [
      [t('receipt.issued'), dayText(facts.issuedOn, language)],
      [t('receipt.customer'), String(facts.customer.number)],
    ] as const) {
      pdf.font('regular').fontSize(9).fillColor(faint).text(label, right, y, { width: 110 })
      pdf
        .font('regular')
        .fontSize(10)
        .fillColor(ink)
        .text(value, right + 110, y - 1, {
          width: width - 400,
          align: 'right',
        })
      y = Math.max(pdf.y, y + 15) + 3
    }
  })
  pdf.y = Math.max(bottom, pdf.y) + 24
}

function drawLines(sheet: Sheet, root: Structure): void {
  const { pdf, facts } = sheet
  const table = pdf.struct('Table')
  root.add(table)
  drawColumnHeads(sheet, table)
  for (const line of facts.lines) {
    const height = Math.max(lineHeight(sheet, line), 14)
    if (pdf.y + height > 842 - margin.bottom - 12) {
      pdf.addPage()
      pdf.y = margin.top
      drawColumnHeads(sheet, table)
    }
    drawLine(sheet, table, line, height)
  }
  table.end()
}

function drawColumnHeads(sheet: Sheet, table: Structure): void {
  const { pdf, t } = sheet
  const row = pdf.struct('TR')
  table.add(row)
  const y = pdf.y
  const heads = {
    date: t('receipt.date'),
    description: t('receipt.description'),
    net: t('receipt.net'),
    vat: t('receipt.vat'),
    gross: t('receipt.gross'),
  }
  for (const [name, text] of Object.entries(heads)) {
    const column = columns[name as keyof typeof columns] // the keys of `heads` are the columns
    element(sheet, row, 'TH', () => {
      pdf
        .font('bold')
        .fontSize(9)
        .fillColor(faint)
        .text(text, column.x, y, { width: column.width, align: align(name) })
    })
  }
  row.end()
  ruleAt(sheet, y + 16)
  pdf.y = y + 22
}

function drawLine(sheet: Sheet, table: Structure, line: ReceiptLine, height: number): void {
  const { pdf, language, facts } = sheet
  const row = pdf.struct('TR')
  table.add(row)
  const y = pdf.y
  const cells = {
    date: dayText(line.date, language),
    description: describe(sheet, line),
    net: formatPrice(line.net, facts.currency, language),
    vat: formatPrice(line.vat, facts.currency, language),
    gross: formatPrice(line.gross, facts.currency, language),
  }
  for (const [name, text] of Object.entries(cells)) {
    const column = columns[name as keyof typeof columns] // the keys of `cells` are the columns
    element(sheet, row, 'TD', () => {
      pdf
        .font('regular')
        .fontSize(9.5)
        .fillColor(ink)
        .text(text, column.x, y, { width: column.width, align: align(name) })
    })
  }
  row.end()
  ruleAt(sheet, y + height + 5)
  pdf.y = y + height + 11
}

function drawTotals(sheet: Sheet, root: Structure): void {
  const { pdf, facts, t, language } = sheet
  const price = (cents: number) => formatPrice(cents, facts.currency, language)
  const taxed = facts.rates.filter(({ rate }) => rate !== null)
  const rows: [string, string][] = taxed.length === 0 ? [] : [[t('receipt.sum-net'), price(facts.total.net)]]
  for (const { rate, net, vat } of taxed) {
    const percent = new Intl.NumberFormat(locales[language], { style: 'percent', maximumFractionDigits: 2 })
    rows.push([
      t('receipt.sum-vat', { rate: percent.format((rate ?? 0) / 10_000), net: price(net) }),
      price(vat),
    ])
  }
  if (pdf.y + rows.length * 17 + 40 > 842 - margin.bottom) {
    pdf.addPage()
    pdf.y = margin.top
  }
  pdf.y += 8
  for (const [label, value] of rows) drawSum(sheet, root, label, value, 'regular')
  drawSum(sheet, root, t('receipt.sum-total'), price(facts.total.gross), 'bold')
}

function drawSum(
  sheet: Sheet,
  root: Structure,
  label: string,
  value: string,
  weight: 'regular' | 'bold',
): void {
  const { pdf } = sheet
  const y = pdf.y
  const size = weight === 'bold' ? 12 : 10
  element(sheet, root, 'P', () => {
    pdf.font(weight).fontSize(size).fillColor(ink)
    pdf.text(label, margin.left + 130, y, { width: width - 240, align: 'right' })
    pdf.text(value, margin.left + width - 105, y, { width: 105, align: 'right' })
  })
  pdf.y = y + size + 8
}

/** Footers with the company and page number, as artifacts that screen readers skip. */
function drawFeet(sheet: Sheet, firstPage: number): void {
  const { pdf, facts, t } = sheet
  const { start, count } = pdf.bufferedPageRange()
  const pages = start + count - firstPage
  const { company } = facts
  const lines = [
    company.details.join(' · '),
    company.email === null ? '' : t('receipt.questions', { email: company.email }),
  ].filter((line) => line !== '')
  for (let page = 0; page < pages; page++) {
    pdf.switchToPage(firstPage + page)
    // text below the margin would start a new page
    const { bottom } = pdf.page.margins
    pdf.page.margins.bottom = 0
    pdf.markContent('Artifact', { type: 'Pagination' })
    pdf.font('regular').fontSize(8).fillColor(faint)
    let y = 842 - margin.bottom + 16
    for (const line of lines) {
      pdf.text(line, margin.left, y, { width: width - 90, height: 22, ellipsis: true })
      y = pdf.y + 2
    }
    const position = t('receipt.page', { page: page + 1, pages })
    pdf.text(position, margin.left + width - 80, 842 - margin.bottom + 16, { width: 80, align: 'right' })
    pdf.endMarkedContent()
    pdf.page.margins.bottom = bottom
  }
}

function lineHeight(sheet: Sheet, line: ReceiptLine): number {
  const { pdf } = sheet
  pdf.font('regular').fontSize(9.5)
  return pdf.heightOfString(describe(sheet, line), { width: columns.description.width })
}

function describe({ t, facts }: Sheet, line: ReceiptLine): string {
  const text = t(`receipt.line-${line.kind}`, { service: facts.service })
  return line.refersTo === null ? text : `${text} ${t('receipt.refers-to', { number: line.refersTo })}`
}

function ruleAt({ pdf }: Sheet, y: number): void {
  pdf.markContent('Artifact', { type: 'Layout' })
  pdf
    .moveTo(margin.left, y)
    .lineTo(margin.left + width, y)
    .lineWidth(0.5)
    .stroke(rule)
  pdf.endMarkedContent()
}

function align(column: string): 'left' | 'right' {
  return column === 'date' || column === 'description' ? 'left' : 'right'
}

function dayText(day: string, language: Language): string {
  const format = { dateStyle: 'medium', timeZone: 'UTC' } as const
  return new Intl.DateTimeFormat(locales[language], format).format(new Date(`${day}T00:00:00Z`))
}

function monthName(period: string, language: Language): string {
  const format = { month: 'long', year: 'numeric', timeZone: 'UTC' } as const
  return new Intl.DateTimeFormat(locales[language], format).format(startOf(period))
}
