import type { ReactNode } from 'react'
import './form-section.css'

export interface FormSectionProps {
  title: string
  hint?: ReactNode
  children: ReactNode
}

/** Section of a long form: its topic on the left, its fields on the right. */
export function FormSection({ title, hint, children }: FormSectionProps) {
  return (
    <div className="form-section">
      <div>
        <h2>{title}</h2>
        {hint && <p>{hint}</p>}
      </div>
      <div className="stack">{children}</div>
    </div>
  )
}
