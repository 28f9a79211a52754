import { type ReactNode, useEffect, useRef } from 'react'
import { number } from '../../i18n/format.ts'
import { type Translate, useT } from '../../i18n/i18n.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { changedKeys, countListChanges } from '../../ui/form/revised-values.ts'
import { SaveBar } from '../../ui/form/save-bar.tsx'
import { Note } from '../../ui/page/note.tsx'
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
  const { edit, labels, label, waiting = false, children } = props
  const t = useT()
  const { form, base } = edit
  const changes = changeWords(t, { values: form.values, base, labels, pending: form.pending })
  return (
    <form {...form.props} aria-label={label} className="directory-form">
      {edit.conflict && <ConflictNote reload={edit.reload} overwrite={edit.overwrite} />}
      <div className="panel">{children}</div>
      {form.dirty && (
        <SaveBar
          label={t('directory.unsaved')}
          count={t('directory.changes', { count: changes.length })}
          changes={changes.join(', ')}
          discard={t('form.discard')}
          onDiscard={edit.discard}
          save={t('dialog.save')}
          saving={t('form.saving')}
          busy={form.busy}
          waiting={waiting}
        />
      )}
    </form>
  )
}

function ConflictNote({ reload, overwrite }: { reload: () => Promise<void>; overwrite: () => void }) {
  const t = useT()
  const frame = useRef<HTMLDivElement>(null)
  // The save button that was pressed is at the foot of the page, the choice at its head.
  useEffect(() => {
    frame.current?.focus()
    frame.current?.scrollIntoView({ block: 'nearest' })
  }, [])
  return (
    <div ref={frame} tabIndex={-1} className="directory-conflict">
      <Note
        tone="warning"
        live
        title={t('directory.conflictTitle')}
        actions={
          <span className="row wrap">
            <Button size="small" onPress={reload}>
              {t('words.reload')}
            </Button>
            <Button size="small" variant="danger-outline" onPress={overwrite}>
              {t('words.overwrite')}
            </Button>
          </span>
        }
      >
        {t('directory.conflictText')}
      </Note>
    </div>
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
