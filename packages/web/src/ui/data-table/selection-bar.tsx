import IconX from '@tabler/icons-react/dist/esm/icons/IconX.mjs'
import type { ReactNode } from 'react'
import { number } from '../../i18n/format.ts'
import { useT } from '../../i18n/i18n.ts'
import { Button } from '../buttons/button.tsx'

export interface SelectionBarProps {
  count: number
  /** Number of rows on all pages. */
  total: number | undefined
  onAll: () => void
  onPage: () => void
  /** The whole page is already selected. */
  isPage: boolean
  onClear: () => void
  /** Actions on the rows. */
  children: ReactNode
}

/** Shown above a table with selected rows: their number, and actions. */
export function SelectionBar(props: SelectionBarProps) {
  const { count, total, onAll, onPage, isPage, onClear, children } = props
  const t = useT()
  return (
    <section className="selection" aria-label={t('list.selection')}>
      <b>{t('list.selected', { count, number: number(count) })}</b>
      {!isPage && (
        <button type="button" className="selection-more selection-phone" onClick={onPage}>
          {t('list.selectPage')}
        </button>
      )}
      {total !== undefined && count < total && (
        <button type="button" className="selection-more" onClick={onAll}>
          {t('list.selectAll', { count: total, number: number(total) })}
        </button>
      )}
      <span className="spacer" />
      {children}
      <Button size="small" icon={IconX} label={t('list.clearSelection')} onPress={onClear} />
    </section>
  )
}
