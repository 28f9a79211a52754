import { type ReactNode, useEffect, useRef } from 'react'
import { useT } from '../../i18n/i18n.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { SaveForm, useSaveWait } from '../../ui/form/save-scope.tsx'
import type { Form } from '../../ui/form/use-form.ts'
import { Note } from '../../ui/page/note.tsx'
import './save-frame.css'

interface Edit<V> {
  form: Form<V>
  /** Someone else has changed the object since editing began. */
  conflict: boolean
  reload: () => unknown
  overwrite: () => unknown
}

export interface SaveFrameProps<V> {
  edit: Edit<V>
  label: string
  /** Says that somebody else has changed the object. */
  conflict: string
  /** The price of the changes is loading. */
  waiting?: boolean | undefined
  children: ReactNode
}

/** The form of an object, with the note about a conflict above. The bar of the page saves it, by `usePageForm`. */
export function SaveFrame<V>({ edit, label, conflict, waiting = false, children }: SaveFrameProps<V>) {
  const t = useT()
  useSaveWait(waiting && edit.form.dirty ? t('words.priceToCome') : undefined)
  return (
    <SaveForm form={edit.form} label={label} className="save-frame">
      {edit.conflict && <ConflictNote title={conflict} edit={edit} />}
      <div className="panel">{children}</div>
    </SaveForm>
  )
}

function ConflictNote({ title, edit }: { title: string; edit: Pick<Edit<object>, 'reload' | 'overwrite'> }) {
  const t = useT()
  const frame = useRef<HTMLDivElement>(null)
  // The save button is at the bottom of the page, the conflict choices at the top.
  useEffect(() => {
    frame.current?.focus()
    frame.current?.scrollIntoView({ block: 'nearest' })
  }, [])
  return (
    <div ref={frame} tabIndex={-1} className="save-frame-conflict">
      <Note
        tone="warning"
        live
        title={title}
        actions={
          <span className="row wrap">
            <Button size="small" onPress={edit.reload}>
              {t('words.reload')}
            </Button>
            <Button size="small" variant="danger-outline" onPress={edit.overwrite}>
              {t('words.overwrite')}
            </Button>
          </span>
        }
      >
        {t('words.conflictText')}
      </Note>
    </div>
  )
}
