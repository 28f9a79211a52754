import { useEffect, useRef } from 'react'
import { useLocation, useNavigate } from '../../router/router-context.tsx'

/** How long a tab may take to appear, in milliseconds: somebody may be asked first, and stay. */
const patience = 1000

/** Opens a tab of the page; without a name the first one. Answers once what is in it is on the screen. */
export function useShowTab(): (name?: string) => Promise<void> {
  const navigate = useNavigate()
  const { search } = useLocation()
  const shown = search.tab
  const waiting = useRef({ name: shown, resolve: () => {} })
  // the address changes before its screen is rendered
  useEffect(() => {
    if (waiting.current.name === shown) waiting.current.resolve()
  }, [shown])
  return async (name) => {
    if (name === shown) return
    const appears = new Promise<void>((resolve) => {
      waiting.current = { name, resolve }
    })
    await navigate({ to: '.', search: { ...search, tab: name }, replace: true, resetScroll: false })
    await Promise.race([appears, new Promise((resolve) => setTimeout(resolve, patience))])
  }
}
