import { useEffect, useId, useState } from 'react'

export interface DayFilterProps {
  label: string
  /** `YYYY-MM-DD`. */
  value: string | undefined
  min?: string
  max?: string
  onFilter: (value: string | undefined) => void
}

/** A day from which or to which a list goes. */
export function DayFilter({ label, value, min, max, onFilter }: DayFilterProps) {
  const id = useId()
  // While a year is typed, the field holds days that nobody means.
  const [text, setText] = useState(value ?? '')
  // oxlint-disable-next-line react/set-state-in-effect -- the address has changed by other means
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

/** Whether a text is a day of this millennium, `YYYY-MM-DD`. */
export function isDay(text: string): boolean {
  const moment = new Date(`${text}T00:00:00Z`)
  return (
    /^2\d{3}-\d\d-\d\d$/.test(text) &&
    !Number.isNaN(moment.getTime()) &&
    moment.toISOString().startsWith(text)
  )
}
