import { type CSSProperties, type ReactNode, useEffect, useState } from 'react'
import { useT } from '../../i18n/i18n.ts'
import './skeleton.css'

/** A grey bar with the size of the content it stands in for. */
export function Skeleton({
  width = '100%',
  height = 11,
}: {
  width?: CSSProperties['width']
  height?: number
}) {
  return <span className="skeleton" style={{ width, height }} />
}

const showAfter = 150

/** Wraps skeletons: hidden at first, so that fast responses don't flicker, but with reserved space. */
export function Loading({ children }: { children: ReactNode }) {
  const t = useT()
  const shown = useDelay(showAfter)
  return (
    <div aria-busy="true" className={shown ? 'loading' : 'loading loading-early'}>
      <span className="visually-hidden" role="status">
        {t('load.running')}
      </span>
      {children}
    </div>
  )
}

/** Skeleton rows of a two-line list. */
export function SkeletonRows({ count = 3 }: { count?: number }) {
  const widths = ['58%', '44%', '66%', '50%', '62%']
  return (
    <Loading>
      <ul className="skeleton-rows">
        {Array.from({ length: count }, (_, row) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows without content have no other key
          <li key={row}>
            <Skeleton width={28} height={28} />
            <span>
              <Skeleton width={widths[row % widths.length]} />
              <Skeleton width="30%" height={9} />
            </span>
          </li>
        ))}
      </ul>
    </Loading>
  )
}

function useDelay(milliseconds: number): boolean {
  const [over, setOver] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setOver(true), milliseconds)
    return () => clearTimeout(timer)
  }, [milliseconds])
  return over
}
