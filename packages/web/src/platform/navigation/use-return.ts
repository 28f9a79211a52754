import { useEffect, useEffectEvent } from 'react'

/** Calls back when the page is restored by the back button after leaving for another site. */
export function useReturn(onReturn: () => void): void {
  const returned = useEffectEvent(onReturn)
  useEffect(() => {
    const onShow = ({ persisted }: PageTransitionEvent) => persisted && returned()
    window.addEventListener('pageshow', onShow)
    return () => window.removeEventListener('pageshow', onShow)
  }, [])
}
