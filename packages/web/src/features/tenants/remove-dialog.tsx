import type { ReactNode } from 'react'
import { useT } from '../../i18n/i18n.ts'
import { useActWith } from '../../platform/api/use-act.ts'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { errorLine } from '../../ui/form/field-errors.ts'
import { useForm } from '../../ui/form/use-form.ts'
import { Note } from '../../ui/page/note.tsx'

export interface RemoveDialogProps {
  /** The question, which names the object. */
  title: string
  children: ReactNode
  /** Of the button. */
  label: string
  /** Under what the server says why it refuses. */
  field: string
  act: () => Promise<{ message: string }>
  onClose: () => void
}

/** Asks before something of the offer goes, and says why it cannot. */
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
    <Dialog
      open
      title={title}
      onClose={onClose}
      cancelFocus
      actions={[
        {
          preset: 'delete',
          label,
          busyLabel: t('cockpit.working'),
          busy: form.busy,
          dismiss: false,
          onPress: () => form.submit(),
        },
      ]}
    >
      <form {...form.props} className="stack">
        <input type="hidden" name={field} />
        {children}
        <div role="alert">{error && <Note tone="danger">{errorLine(error)}</Note>}</div>
      </form>
    </Dialog>
  )
}
