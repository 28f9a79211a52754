import type { Form } from '../form/use-form.ts'
import { Dialog, type DialogAction, type DialogProps } from './dialog.tsx'

export interface FormDialogProps<V>
  extends Omit<DialogProps, 'open' | 'actions'>,
    Pick<DialogAction, 'icon' | 'busyLabel' | 'disabled'> {
  form: Form<V>
  /** Appearance of the submit button. */
  preset: DialogAction['preset']
  /** Label of the submit button, instead of the preset's. */
  submitLabel?: string
}

/** A dialog with a single form. */
export function FormDialog<V>(props: FormDialogProps<V>) {
  const { form, preset, submitLabel, icon, busyLabel, disabled, children, ...dialog } = props
  return (
    <Dialog
      open
      {...dialog}
      actions={[
        {
          ...{ preset, label: submitLabel, icon, busyLabel, disabled, busy: form.busy },
          onPress: () => form.submit(),
          dismiss: false,
        },
      ]}
    >
      <form {...form.props} className="stack">
        {children}
      </form>
    </Dialog>
  )
}
