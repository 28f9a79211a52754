import { useEffect, useState } from 'react'
import { useT } from '../../i18n/i18n.ts'
import { createStore, useStore } from '../../state/store.ts'
import './page-loader.css'

const showAfter = 150
const running = createStore(0)

/** Starts showing the page loader; returns the function to stop. */
export function startLoading(): () => void {
  let open = true
  running.update((count) => count + 1)
  return () => {
    if (open) running.update((count) => count - 1)
    open = false
  }
}

/** Shows the page loader while a promise is pending. */
export async function whileLoading<T>(work: Promise<T>): Promise<T> {
  const stop = startLoading()
  try {
    return await work
  } finally {
    stop()
  }
}

/** Shows the page loader while mounted and `active`. */
export function useLoading(active: boolean): void {
  useEffect(() => (active ? startLoading() : undefined), [active])
}

/** Animated line below the header; takes no space, to avoid layout shifts. */
export function PageLoader() {
  const t = useT()
  const busy = useStore(running, (count) => count > 0)
  const [shown, setShown] = useState(false)
  useEffect(() => {
    if (!busy) return
    const timer = setTimeout(() => setShown(true), showAfter)
    return () => {
      clearTimeout(timer)
      setShown(false)
    }
  }, [busy])
  return (
    <div className="page-loader" role="status">
      {shown && (
        <>
          <i />
          <span className="visually-hidden">{t('load.running')}</span>
        </>
      )}
    </div>
  )
}
