import type { HandOff } from '@gatehouse/contract/billing/payments'

/** Where a payment that was begun goes on. */
export type Course =
  /** This page is on its way to the provider's. */
  | { kind: 'leaving' }
  /** The provider's page is another window; the browser may have kept it shut. */
  | { kind: 'window'; url: string; isOpen: boolean }
  /** There is no page to go to. */
  | { kind: 'here' }

/** Takes the customer to where the payment is made; specification "Payment". */
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

/** Opens a page that cannot reach back to this one. False: the browser did not let us. */
function openBeside(url: string): boolean {
  // `noopener` would hide whether a window was opened
  const beside = window.open('', '_blank')
  if (!beside) return false
  beside.opener = null
  beside.location.assign(url)
  return true
}

/** Nothing but a web page is opened, whoever named it. */
function webAddress(url: string): string {
  const { protocol, href } = new URL(url, window.location.href)
  if (protocol !== 'https:' && protocol !== 'http:') throw new Error(`invalid checkout URL: ${protocol}`)
  return href
}
