import type { ReactNode } from 'react'
import { useT } from '../../i18n/i18n.ts'
import { useActWith } from '../../platform/api/use-act.ts'
import { FormDialog } from '../../ui/dialog/form-dialog.tsx'
import { errorLine } from '../../ui/form/field-errors.ts'
import { useForm } from '../../ui/form/use-form.ts'
import { Note } from '../../ui/page/note.tsx'

export interface RemoveDialogProps {
  /** The question, including the object's name. */
  title: string
  children: ReactNode
  /** Label of the button. */
  label: string
  /** Field under which the server reports why it refuses. */
  field: string
  act: () => Promise<{ message: string }>
  onClose: () => void
}

/** Confirms removing an item of the offer, and shows why it can't be removed. */
export function RemoveDialog({ title, children, label, field, act, onClose }: RemoveDialogProps) {
  const t = useT()
  const remove = useActWith()
  const form = useForm({
    initial: {},
    submit: async () => {
      await remove(act, onClose)
    },
  })
  const error = form.errors[field]
  return (
    <FormDialog
      title={title}
      form={form}
      onClose={onClose}
      cancelFocus
      preset="delete"
      submitLabel={label}
      busyLabel={t('cockpit.working')}
    >
      <input type="hidden" name={field} />
      {children}
      <div role="alert">{error && <Note tone="danger">{errorLine(error)}</Note>}</div>
    </FormDialog>
  )
}
