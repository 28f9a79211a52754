import { Children, Fragment, isValidElement, type ReactNode } from 'react'

/** Arranges form fields in pairs; a remaining one has the full width. */
export function FieldPairs({ children }: { children: readonly ReactNode[] }) {
  const fields = Children.toArray(children)
  return fields.map((field, index) => {
    if (index % 2 === 1) return null
    const key = isValidElement(field) ? field.key : index
    const other = fields[index + 1]
    return other === undefined ? (
      <Fragment key={key}>{field}</Fragment>
    ) : (
      <div key={key} className="field-pair">
        {field}
        {other}
      </div>
    )
  })
}
