import type { ReactNode } from 'react'
import { number } from '../../../i18n/format.ts'
import { useT } from '../../../i18n/i18n.ts'
import { SelectionBar } from '../../../ui/data-table/selection-bar.tsx'
import type { Chosen } from './chosen.ts'

/** What can be done with the chosen items of a list, and how many they are. */
export function ChosenBar<Item>({ chosen, children }: { chosen: Chosen<Item>; children: ReactNode }) {
  const t = useT()
  const count = chosen.items.length
  return (
    <>
      <span className="visually-hidden" role="status">
        {count > 0 && t('list.selected', { count, number: number(count) })}
      </span>
      {count > 0 && (
        <SelectionBar
          count={count}
          total={undefined}
          isPage={chosen.page === 'all'}
          onAll={chosen.pressPage}
          onPage={chosen.pressPage}
          onClear={chosen.clear}
        >
          {children}
        </SelectionBar>
      )}
    </>
  )
}
