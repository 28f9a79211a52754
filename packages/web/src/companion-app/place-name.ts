import { currentLanguage } from '../i18n/i18n.ts'

/** A network address with the name of its country, where that is known. */
export function placeName({ ip, country }: { readonly ip: string; readonly country: string }): string {
  if (!/^[A-Z]{2}$/.test(country)) return ip
  const name = new Intl.DisplayNames([currentLanguage()], { type: 'region' }).of(country)
  return `${name ?? country} (${ip})`
}
