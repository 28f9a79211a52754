import { type ReactNode, useRef } from 'react'
import { number } from '../../../i18n/format.ts'
import { useT } from '../../../i18n/i18n.ts'
import { SelectionBar } from '../../../ui/data-table/selection-bar.tsx'
import type { Chosen } from './chosen.ts'

/** The checkboxes of a table and of a grid. */
const boxes = '.data-box input, [data-item] input[type="checkbox"]'

/** Number of selected items of a list, with the available actions. */
export function ChosenBar<Item>({ chosen, children }: { chosen: Chosen<Item>; children: ReactNode }) {
  const t = useT()
  const count = chosen.items.length
  const bar = useRef<HTMLSpanElement>(null)
  const clearByButton = () => {
    // the focused button is unmounted with the bar
    bar.current?.parentElement?.querySelector<HTMLElement>(boxes)?.focus()
    chosen.clear()
  }
  return (
    <>
      <span ref={bar} className="visually-hidden" role="status">
        {count > 0 && t('list.selected', { count, number: number(count) })}
      </span>
      {count > 0 && (
        <SelectionBar
          count={count}
          total={undefined}
          isPage={chosen.page === 'all'}
          onAll={chosen.pressPage}
          onPage={chosen.pressPage}
          onClear={clearByButton}
        >
          {children}
        </SelectionBar>
      )}
    </>
  )
}
