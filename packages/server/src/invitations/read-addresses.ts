import { emailAddress } from '@gatehouse/contract/email-address'
import { maxInvitationBytes, maxInvitations } from '@gatehouse/contract/invitations'
import { readCsv } from '../bulk/csv/read-csv.ts'
import { plainCell } from '../platform/csv/write-csv.ts'
import { message, PayloadTooLarge, ValidationError } from '../platform/http/errors.ts'

/** One line of a file that names somebody; `email` undefined: what stands there is no address. */
export interface AddressRow {
  /** As a spreadsheet counts them, from 1. */
  readonly row: number
  readonly text: string
  readonly email: string | undefined
}

/** An address in the form in which it is kept; undefined: it is none. */
export function readAddress(text: string): string | undefined {
  return emailAddress.safeParse(text).data
}

/**
 * The addresses of an uploaded file, CSV or plain text, whatever its encoding: the first column of each line; lines
 * without "@", as headings, are passed over. Throws PayloadTooLarge, and ValidationError at `file` when there is none.
 */
export async function readAddresses(upload: {
  readonly file: AsyncIterable<Buffer | string>
  readonly announcedBytes: number | undefined
}): Promise<AddressRow[]> {
  if ((upload.announcedBytes ?? 0) > maxInvitationBytes) throw new PayloadTooLarge()
  const rows: AddressRow[] = []
  let row = 0
  for await (const [cell = ''] of readCsv(upload.file, maxInvitationBytes)) {
    row++
    const text = plainCell(cell.replaceAll(/[\0\uFEFF]/g, '').trim())
    if (!text.includes('@')) continue
    if (rows.length === maxInvitations) {
      throw new ValidationError({ file: message('bulk.file-rows', { max: maxInvitations }) })
    }
    rows.push({ row, text: text.slice(0, 200), email: readAddress(text) })
  }
  if (rows.length === 0) throw ValidationError.at('file', 'invitations.file-empty')
  return rows
}
