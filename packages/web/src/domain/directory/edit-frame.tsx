import type { ReactNode } from 'react'
import { number } from '../../i18n/format.ts'
import { type Translate, useT } from '../../i18n/i18n.ts'
import { changedKeys, countListChanges } from '../../ui/form/revised-values.ts'
import { usePageForm } from '../../ui/form/save-scope.tsx'
import { useShowTab } from '../../ui/page/use-show-tab.ts'
import { SaveFrame } from '../revised-form/save-frame.tsx'
import type { RevisedForm } from '../revised-form/use-revised-form.ts'
import type { FieldLabels } from './labels.ts'

export interface EditFrameProps<V extends object> {
  edit: RevisedForm<V>
  label: string
  /** The price of the changes is still loading. */
  waiting?: boolean | undefined
  children: ReactNode
}

/** The form of an object, with the note about a conflict above. */
export function EditFrame<V extends object>(props: EditFrameProps<V>) {
  const t = useT()
  return <SaveFrame {...props} conflict={t('directory.conflictTitle')} />
}

/** Has the form of an object saved by the bar of its page. It is in the first tab, if there are several. */
export function useEditForm<V extends object>(edit: RevisedForm<V>, labels: FieldLabels): void {
  const t = useT()
  const showTab = useShowTab()
  const { form, base, discard } = edit
  usePageForm({
    form,
    changes: changeWords(t, { values: form.values, base, labels, pending: form.pending }),
    discard,
    reveal: () => showTab(),
  })
}

interface Changes<V extends object> {
  values: V
  base: V
  labels: FieldLabels
  /** Lists with pending text in their entry field. */
  pending: readonly string[]
}

/** Describes each change briefly: the field, and for lists the number of entries. */
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
    return t('words.changesIn', { field, count: number(count) })
  })
}
