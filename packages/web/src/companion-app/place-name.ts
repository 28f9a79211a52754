import { currentLanguage } from '../i18n/i18n.ts'

/** Returns a network address with its country, if known. */
export function placeName({ ip, country }: { readonly ip: string; readonly country: string }): string {
  if (!/^[A-Z]{2}$/.test(country)) return ip
  const name = new Intl.DisplayNames([currentLanguage()], { type: 'region' }).of(country)
  return `${name ?? country} (${ip})`
}
