import type { ReactNode } from 'react'
import { number } from '../../i18n/format.ts'
import { type Translate, useT } from '../../i18n/i18n.ts'
import { changedKeys, countListChanges } from '../../ui/form/revised-values.ts'
import { SaveFrame } from '../revised-form/save-frame.tsx'
import type { RevisedForm } from '../revised-form/use-revised-form.ts'
import type { FieldLabels } from './labels.ts'

export interface EditFrameProps<V extends object> {
  edit: RevisedForm<V>
  labels: FieldLabels
  label: string
  /** The price of the changes is still to come. */
  waiting?: boolean | undefined
  children: ReactNode
}

/** The form of an object, with the note about a conflict above and the bar of changes at its foot. */
export function EditFrame<V extends object>(props: EditFrameProps<V>) {
  const { edit, labels, label, waiting, children } = props
  const t = useT()
  const { form, base } = edit
  const changes = changeWords(t, { values: form.values, base, labels, pending: form.pending })
  const texts = {
    unsaved: t('directory.unsaved'),
    discard: t('form.discard'),
    conflict: t('directory.conflictTitle'),
  }
  return (
    <SaveFrame edit={edit} label={label} changes={changes} texts={texts} waiting={waiting}>
      {children}
    </SaveFrame>
  )
}

interface Changes<V extends object> {
  values: V
  base: V
  labels: FieldLabels
  /** Lists in whose entry field a text waits. */
  pending: readonly string[]
}

/** Each change in a word or two: the field, and of a list how many of its entries. */
export function changeWords<V extends object>(t: Translate, changes: Changes<V>): string[] {
  const { values, base, labels, pending } = changes
  const keys = [...new Set<string>([...changedKeys(values, base), ...pending])]
  const before = new Map<string, unknown>(Object.entries(base))
  const now = new Map<string, unknown>(Object.entries(values))
  return keys.map((key) => {
    const label = labels[key]
    const field = label ? t(label) : key
    const [left, right] = [now.get(key), before.get(key)]
    if (!Array.isArray(left) || !Array.isArray(right)) return field
    const count = countListChanges(left, right) + (pending.includes(key) ? 1 : 0)
    return t('directory.changesIn', { field, count: number(count) })
  })
}
