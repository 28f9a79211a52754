import { type ReactNode, useRef } from 'react'
import { number } from '../../../i18n/format.ts'
import { useT } from '../../../i18n/i18n.ts'
import { SelectionBar } from '../../../ui/data-table/selection-bar.tsx'
import type { Chosen } from './chosen.ts'

/** The boxes of a table, and those of a grid. */
const boxes = '.data-box input, [data-item] input[type="checkbox"]'

/** What can be done with the chosen items of a list, and how many they are. */
export function ChosenBar<Item>({ chosen, children }: { chosen: Chosen<Item>; children: ReactNode }) {
  const t = useT()
  const count = chosen.items.length
  const bar = useRef<HTMLSpanElement>(null)
  const clearByButton = () => {
    // the button that had the focus goes with the bar
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
