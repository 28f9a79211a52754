import IconChevronLeft from '@tabler/icons-react/dist/esm/icons/IconChevronLeft.mjs'
import IconChevronRight from '@tabler/icons-react/dist/esm/icons/IconChevronRight.mjs'
import { type RefObject, useId, useLayoutEffect, useRef } from 'react'
import { number } from '../../i18n/format.ts'
import { useT } from '../../i18n/i18n.ts'
import { Button } from '../buttons/button.tsx'
import { pageSizes } from './list-place.ts'

export interface PagerProps {
  page: number
  size: number
  /** Number of rows on this page. */
  count: number
  hasMore: boolean
  /** Another page is loading. */
  busy?: boolean
  /** Total number of rows, if known. */
  total?: number
  onPage: (page: number) => void
  /** Undefined: the page size can't be changed. */
  onSize?: (size: number) => void
}

/** Footer of a list: the current rows, and paging. */
export function Pager({ page, size, count, hasMore, busy, total, onPage, onSize }: PagerProps) {
  const t = useT()
  const id = useId()
  const first = (page - 1) * size + 1
  const previous = useRef<HTMLButtonElement>(null)
  const next = useRef<HTMLButtonElement>(null)
  useOtherAtEnd(previous, next, page === 1)
  useOtherAtEnd(next, previous, !hasMore)
  const range = { first: number(first), last: number(first + count - 1) }
  return (
    <nav className="pager" aria-label={t('list.pages')}>
      <span role="status">
        {total === undefined ? t('list.range', range) : t('list.rangeOf', { ...range, total: number(total) })}
      </span>
      {busy && <span className="spinner" aria-hidden="true" />}
      <span className="spacer" />
      {onSize && (
        <>
          <label htmlFor={id} className="pager-wide">
            {t('words.rows')}
          </label>
          <select
            id={id}
            className="input pager-wide"
            value={size}
            onChange={(event) => onSize(Number(event.target.value))}
          >
            {pageSizes.map((one) => (
              <option key={one} value={one}>
                {number(one)}
              </option>
            ))}
          </select>
        </>
      )}
      <Button
        ref={previous}
        size="small"
        icon={IconChevronLeft}
        label={t('list.previous')}
        disabled={page === 1}
        onPress={() => onPage(page - 1)}
      />
      <Button
        ref={next}
        size="small"
        icon={IconChevronRight}
        label={t('list.next')}
        disabled={!hasMore}
        onPress={() => onPage(page + 1)}
      />
    </nav>
  )
}

/** A button that gets disabled at the last page passes its focus to the other one. */
function useOtherAtEnd(
  button: RefObject<HTMLButtonElement | null>,
  other: RefObject<HTMLButtonElement | null>,
  isAtEnd: boolean,
): void {
  useLayoutEffect(() => {
    // before the browser blurs the disabled button
    if (isAtEnd && document.activeElement === button.current) other.current?.focus()
  }, [button, other, isAtEnd])
}
