import { useEffect, useEffectEvent } from 'react'

/** Calls back when the page is shown again as it was left for another site, by the back button of the browser. */
export function useReturn(onReturn: () => void): void {
  const returned = useEffectEvent(onReturn)
  useEffect(() => {
    const onShow = ({ persisted }: PageTransitionEvent) => persisted && returned()
    window.addEventListener('pageshow', onShow)
    return () => window.removeEventListener('pageshow', onShow)
  }, [])
}
