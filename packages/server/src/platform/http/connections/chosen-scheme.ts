import { type ChosenScheme, isChosenScheme, schemeCookie } from '@gatehouse/contract/color-scheme'
import { hostCookie } from '@gatehouse/contract/host-cookie'
import { parse } from 'cookie'

/** Returns the colour scheme chosen in this browser; undefined: the system's. */
export function chosenScheme(cookieHeader: string | undefined): ChosenScheme | undefined {
  if (!cookieHeader?.includes(`${schemeCookie.name}=`)) return undefined
  const cookies = parse(cookieHeader)
  const chosen = cookies[hostCookie(schemeCookie.name, true)] ?? cookies[schemeCookie.name]
  return isChosenScheme(chosen) ? chosen : undefined
}
