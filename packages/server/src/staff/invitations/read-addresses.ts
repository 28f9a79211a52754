import { emailAddress } from '@gatehouse/contract/email-address'
import { maxInvitationBytes, maxInvitations } from '@gatehouse/contract/invitations'
import { readCsv } from '../../bulk/csv/read-csv.ts'
import { plainCell } from '../../platform/csv/write-csv.ts'
import { message, PayloadTooLarge, ValidationError } from '../../platform/http/errors.ts'
import { readColumns } from './file-columns.ts'

/** A person to invite. */
export interface Invitee {
  readonly email: string
  readonly firstName: string | null
  readonly lastName: string | null
}

/** One line of a file; `email` is undefined if it contains no address. */
export interface AddressRow extends Omit<Invitee, 'email'> {
  /** Row number as in a spreadsheet, starting at 1. */
  readonly row: number
  readonly text: string
  readonly email: string | undefined
}

/** Returns an address in its stored form; undefined if it is invalid. */
export function readAddress(text: string): string | undefined {
  return emailAddress.safeParse(text).data
}

/**
 * Parses an uploaded CSV or plain text file in any encoding, without headings and empty lines. Throws
 * PayloadTooLarge, and ValidationError at `file` if it is empty.
 */
export async function readAddresses(upload: {
  readonly file: AsyncIterable<Buffer | string>
  readonly announcedBytes: number | undefined
}): Promise<AddressRow[]> {
  if ((upload.announcedBytes ?? 0) > maxInvitationBytes) throw new PayloadTooLarge()
  const rows: AddressRow[] = []
  let row = 0
  let columns: ReturnType<typeof readColumns> | undefined
  for await (const record of readCsv(upload.file, maxInvitationBytes)) {
    row++
    const cells = record.map((cell) => plainCell(cell.replaceAll(/[\0\uFEFF]/g, '').trim()))
    if (cells.every((cell) => cell === '')) continue
    const isFirst = columns === undefined
    columns ??= readColumns(cells)
    if (isFirst && columns.isHeading) continue
    if (rows.length === maxInvitations) {
      throw new ValidationError({ file: message('bulk.file-rows', { max: maxInvitations }) })
    }
    const { email, ...names } = columns.read(cells)
    rows.push({
      row,
      text: (email || cells.join(' ').trim()).slice(0, 200),
      email: readAddress(email),
      ...names,
    })
  }
  if (rows.length === 0) throw ValidationError.at('file', 'invitations.file-empty')
  return rows
}

/** Returns each address once, with the names of its first line. */
export function inviteesOf(rows: readonly AddressRow[]): Invitee[] {
  const found = new Map<string, Invitee>()
  for (const { email, firstName, lastName } of rows) {
    if (email !== undefined && !found.has(email)) found.set(email, { email, firstName, lastName })
  }
  return [...found.values()]
}
