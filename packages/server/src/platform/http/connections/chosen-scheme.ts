import { type ChosenScheme, isChosenScheme, schemeCookie } from '@gatehouse/contract/color-scheme'
import { hostCookie } from '@gatehouse/contract/host-cookie'
import { parse } from 'cookie'

/** The colour scheme that somebody has chosen in this browser; undefined: that of the system. */
export function chosenScheme(cookieHeader: string | undefined): ChosenScheme | undefined {
  if (!cookieHeader?.includes(`${schemeCookie.name}=`)) return undefined
  const cookies = parse(cookieHeader)
  const chosen = cookies[hostCookie(schemeCookie.name, true)] ?? cookies[schemeCookie.name]
  return isChosenScheme(chosen) ? chosen : undefined
}
