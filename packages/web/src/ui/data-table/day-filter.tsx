import { useEffect, useId, useState } from 'react'

export interface DayFilterProps {
  label: string
  /** `YYYY-MM-DD`. */
  value: string | undefined
  min?: string
  max?: string
  onFilter: (value: string | undefined) => void
}

/** Field for the first or last day of a list. */
export function DayFilter({ label, value, min, max, onFilter }: DayFilterProps) {
  const id = useId()
  // While a year is being typed, the field holds unintended dates.
  const [text, setText] = useState(value ?? '')
  // oxlint-disable-next-line react/set-state-in-effect -- the URL was changed elsewhere
  useEffect(() => setText(value ?? ''), [value])
  const change = (typed: string) => {
    setText(typed)
    if (typed === '') onFilter(undefined)
    else if (isDay(typed)) onFilter(typed)
  }
  return (
    <div className={value === undefined ? 'list-filter' : 'list-filter list-filter-on'}>
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        type="date"
        value={text}
        min={min}
        max={max}
        onChange={(event) => change(event.target.value)}
      />
    </div>
  )
}

/** Whether a text is a date of this millennium, `YYYY-MM-DD`. */
export function isDay(text: string): boolean {
  const moment = new Date(`${text}T00:00:00Z`)
  return (
    /^2\d{3}-\d\d-\d\d$/.test(text) &&
    !Number.isNaN(moment.getTime()) &&
    moment.toISOString().startsWith(text)
  )
}
