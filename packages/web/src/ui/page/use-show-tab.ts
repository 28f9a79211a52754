import { useEffect, useRef } from 'react'
import { useLocation, useNavigate } from '../../router/router-context.tsx'

/** Milliseconds to wait for a tab: an unsaved-changes dialog may keep the user on the current one. */
const patience = 1000

/** Opens a tab of the page, by default the first. Resolves once its content is rendered. */
export function useShowTab(): (name?: string) => Promise<void> {
  const navigate = useNavigate()
  const { search } = useLocation()
  const shown = search.tab
  const waiting = useRef({ name: shown, resolve: () => {} })
  // the URL changes before the tab is rendered
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
