import type { HandOff } from '@gatehouse/contract/billing/payments'

/** Where the customer continues a payment that was started. */
export type Course =
  /** This page is navigating to the provider's page. */
  | { kind: 'leaving' }
  /** The provider's page opens in another window, which the browser may have blocked. */
  | { kind: 'window'; url: string; isOpen: boolean }
  /** There is no provider page. */
  | { kind: 'here' }

/** Takes the customer to the provider's payment page; specification "Payment". */
export function followHandOff({
  redirectUrl,
  newWindowUrl,
}: Pick<HandOff, 'redirectUrl' | 'newWindowUrl'>): Course {
  if (redirectUrl !== undefined) {
    window.location.assign(webAddress(redirectUrl))
    return { kind: 'leaving' }
  }
  if (newWindowUrl !== undefined) {
    const url = webAddress(newWindowUrl)
    return { kind: 'window', url, isOpen: openBeside(url) }
  }
  return { kind: 'here' }
}

/** Opens a page without access to `window.opener`. Returns false if the browser blocked the window. */
function openBeside(url: string): boolean {
  // `noopener` would hide whether a window was opened
  const beside = window.open('', '_blank')
  if (!beside) return false
  beside.opener = null
  beside.location.assign(url)
  return true
}

/** Returns the URL only if it is a web address, regardless of its source. */
function webAddress(url: string): string {
  const { protocol, href } = new URL(url, window.location.href)
  if (protocol !== 'https:' && protocol !== 'http:') throw new Error(`invalid checkout URL: ${protocol}`)
  return href
}
