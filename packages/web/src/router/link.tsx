import type { ComponentProps, MouseEvent } from 'react'
import { isBelow, type Location } from './location.ts'
import type { Navigation } from './router.ts'
import { useLocation, useRouter } from './router-context.tsx'

export interface LinkProps
  extends Omit<ComponentProps<'a'>, 'href'>,
    Pick<Navigation, 'search' | 'resetScroll'> {
  /** A path; `.` is the current one. */
  to: string
}

/** A link within the application, marked if it leads to the current page or to a parent of it. */
export function Link({ to, search, resetScroll, onClick, ...rest }: LinkProps) {
  const router = useRouter()
  const location = useLocation()
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event)
    if (!isPlainClick(event) || event.currentTarget.target) return
    event.preventDefault()
    void router.navigate({ to, search, resetScroll })
  }
  const isCurrent = leadsTo({ to, search }, location)
  return (
    <a
      aria-current={isCurrent ? 'page' : undefined}
      {...rest}
      href={router.hrefOf({ to, search })}
      onClick={follow}
    />
  )
}

/** Whether a click is meant for this page instead of a new tab or window. */
export function isPlainClick(event: MouseEvent): boolean {
  const { defaultPrevented, button, ctrlKey, metaKey, shiftKey, altKey } = event
  return !(defaultPrevented || button !== 0 || ctrlKey || metaKey || shiftKey || altKey)
}

function leadsTo(
  { to, search = {} }: Pick<LinkProps, 'to' | 'search'>,
  { pathname, search: query }: Location,
): boolean {
  const isHere = to === '.' || pathname === to || (to !== '/' && isBelow(pathname, to))
  return (
    isHere && Object.entries(search).every(([name, value]) => value === undefined || query[name] === value)
  )
}
