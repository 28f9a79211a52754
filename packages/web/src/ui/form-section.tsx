import { type ReactNode, useId } from 'react'
import './form-section.css'

export interface FormSectionProps {
  title: string
  hint?: ReactNode
  children: ReactNode
}

/** A part of a long form: what it is about on the left, its fields on the right. */
export function FormSection({ title, hint, children }: FormSectionProps) {
  const id = useId()
  return (
    // biome-ignore lint/a11y/useSemanticElements: the legend of a fieldset cannot stand beside its fields
    <div className="form-section" role="group" aria-labelledby={id}>
      <div>
        <h2 id={id}>{title}</h2>
        {hint && <p>{hint}</p>}
      </div>
      <div className="stack">{children}</div>
    </div>
  )
}
