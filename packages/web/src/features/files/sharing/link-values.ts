import type { FileLink, LinkInput } from '@gatehouse/contract/files/file-shares'
import { toDate } from '../../../i18n/format.ts'

/** Form values of a link. */
export interface LinkValues {
  /** Local date in the format of a date field; empty: no expiry. */
  expires_at: string
  password: string
  /** Keeps the current password. */
  keepPassword: boolean
  max_downloads: string
}

/** Request body: the link expires in the last second of the day; null removes a limit, absent fields stay. */
export function linkBody(values: LinkValues, link?: Pick<FileLink, 'hasPassword'>): LinkInput {
  const { expires_at, password, keepPassword, max_downloads } = values
  const staysSecret = link?.hasPassword === true && keepPassword
  return {
    expires_at: expires_at === '' ? null : utcEnd(expires_at),
    max_downloads: max_downloads.trim() === '' ? null : max_downloads.trim(),
    ...(staysSecret ? {} : { password: password === '' ? null : password }),
  }
}

/** The last second of a local day in the server's format (UTC). */
function utcEnd(day: string): string {
  return new Date(`${day}T23:59:59`).toISOString().slice(0, 19).replace('T', ' ')
}

/** The local day of a moment in the format of a date field. */
export function localDay(moment: string): string {
  const date = toDate(moment)
  const two = (value: number) => String(value).padStart(2, '0')
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}
