import type { FileLink, LinkInput } from '@gatehouse/contract/files/file-shares'
import { toDate } from '../../../i18n/format.ts'

/** What the form of a link holds. */
export interface LinkValues {
  /** A day where the reader is, as a date field has it; empty: no end. */
  expires_at: string
  password: string
  /** The password that there is stays. */
  keepPassword: boolean
  max_downloads: string
}

/** The body of the call: the end is the last second of the day, null takes away, what is absent stays. */
export function linkBody(values: LinkValues, link?: Pick<FileLink, 'hasPassword'>): LinkInput {
  const { expires_at, password, keepPassword, max_downloads } = values
  const staysSecret = link?.hasPassword === true && keepPassword
  return {
    expires_at: expires_at === '' ? null : utcEnd(expires_at),
    max_downloads: max_downloads.trim() === '' ? null : max_downloads.trim(),
    ...(staysSecret ? {} : { password: password === '' ? null : password }),
  }
}

/** The last second of a day where the reader is, as the server takes it (UTC). */
function utcEnd(day: string): string {
  return new Date(`${day}T23:59:59`).toISOString().slice(0, 19).replace('T', ' ')
}

/** The day of a moment where the reader is, as a date field has it. */
export function localDay(moment: string): string {
  const date = toDate(moment)
  const two = (value: number) => String(value).padStart(2, '0')
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}
