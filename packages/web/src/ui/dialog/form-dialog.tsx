import type { Form } from '../form/use-form.ts'
import { Dialog, type DialogAction, type DialogProps } from './dialog.tsx'

export interface FormDialogProps<V>
  extends Omit<DialogProps, 'open' | 'actions'>,
    Pick<DialogAction, 'icon' | 'busyLabel' | 'disabled'> {
  form: Form<V>
  /** The look of the button that submits. */
  preset: DialogAction['preset']
  /** Its words, if not those of the preset. */
  submitLabel?: string
}

/** A dialog that is one form. */
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
