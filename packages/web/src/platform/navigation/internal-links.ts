import type { MouseEvent } from 'react'
import { isPlainClick } from '../../router/link.tsx'
import { useRouter } from '../../router/router-context.tsx'
import { basePath, config } from '../config.ts'

/**
 * Click handler for content with plain links: follows links to our pages without a reload. Leaves links with
 * a target and clicks with a modifier key to the browser.
 */
export function useInternalLinks(): (event: MouseEvent) => void {
  const router = useRouter()
  return (event) => {
    const link = internalLink(event)
    if (!link) return
    event.preventDefault()
    const path = link.pathname.slice(basePath().length) || '/'
    const same = link.pathname === window.location.pathname && link.search === window.location.search
    void router.navigate({ href: path + link.search + link.hash, resetScroll: !same, replace: same })
    if (same) scrollToAnchor(link.hash)
  }
}

/** Scrolls to the element of a hash and moves the screen reader's position there. */
export function scrollToAnchor(hash: string): boolean {
  const element = document.getElementById(decodeURIComponent(hash.slice(1)))
  if (!element) return false
  element.setAttribute('tabindex', '-1')
  element.scrollIntoView()
  element.focus({ preventScroll: true })
  return true
}

function internalLink(event: MouseEvent): HTMLAnchorElement | undefined {
  if (!isPlainClick(event)) return undefined
  const link = event.target instanceof Element ? event.target.closest('a') : null
  if (!link || link.target || link.origin !== window.location.origin) return undefined
  return isPage(link) ? link : undefined
}

const notPages = /^\/(api|assets|content|dev|themes)\//

/** Our host may serve more than the application: files, another portal, webmail. */
function isPage({ pathname, href }: HTMLAnchorElement): boolean {
  const base = basePath()
  const webmail = config['app.webmail_url']
  if (webmail && href.startsWith(new URL(webmail, window.location.href).href)) return false
  if (pathname !== base && !pathname.startsWith(`${base}/`)) return false
  return !notPages.test(pathname.slice(base.length))
}
