import './segmented.css'

export interface SegmentedProps<V extends string> {
  label: string
  choices: readonly { value: V; label: string }[]
  value: V
  onValue: (value: V) => void
  disabled?: boolean
}

/** Segmented control to choose one of a few options. */
export function Segmented<V extends string>({ label, choices, value, onValue, disabled }: SegmentedProps<V>) {
  return (
    <fieldset className="segmented" aria-label={label} disabled={disabled}>
      {choices.map((choice) => (
        <button
          key={choice.value}
          type="button"
          aria-pressed={choice.value === value}
          onClick={() => onValue(choice.value)}
        >
          {choice.label}
        </button>
      ))}
    </fieldset>
  )
}
