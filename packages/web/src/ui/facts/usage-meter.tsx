import { fileSize } from '../../i18n/file-size.ts'
import { useT } from '../../i18n/i18n.ts'
import { usageState } from './usage-state.ts'
import './usage-meter.css'

interface UsageMeterProps {
  label: string
  /** Bytes. */
  used: number
  /** Bytes; null if unlimited. */
  limit: number | null
  /** Below the text, as wide as it is. */
  below?: boolean
}

/** Used storage as text with a thin bar, which changes its colour when little is left. */
export function UsageMeter({ label, used, limit, below = false }: UsageMeterProps) {
  const t = useT()
  if (limit === null) return <span className="usage">{fileSize(used)}</span>
  const { share, state } = usageState({ used, limit })
  const words = t('words.usedOfLimit', { used: fileSize(used), limit: fileSize(limit) })
  return (
    <span className={below ? 'usage usage-below' : 'usage'} data-state={state}>
      <meter min={0} max={1} value={share} aria-label={label}>
        {words}
      </meter>
      <span>{words}</span>
    </span>
  )
}
