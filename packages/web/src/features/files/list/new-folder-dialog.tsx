import { useQueryClient } from '@tanstack/react-query'
import { useT } from '../../../i18n/i18n.ts'
import { useRequestKey } from '../../../platform/api/request-key.ts'
import { useNavigate } from '../../../router/router-context.tsx'
import { Dialog } from '../../../ui/dialog/dialog.tsx'
import { TextField } from '../../../ui/fields/text-field.tsx'
import { useForm } from '../../../ui/form/use-form.ts'
import { toasts } from '../../../ui/toasts/store.ts'
import { forgetFiles } from '../calls.ts'
import { faultText } from '../fault-text.ts'
import { longestName, nameFault } from '../names.ts'
import { createFolder } from '../uploads/folders.ts'

export interface NewFolderDialogProps {
  /** Null: the root. */
  parent: string | null
  onClose: () => void
}

/** Creates a folder and optionally opens it. */
export function NewFolderDialog({ parent, onClose }: NewFolderDialogProps) {
  const t = useT()
  const client = useQueryClient()
  const navigate = useNavigate()
  const keyOf = useRequestKey()
  const form = useForm<{ name: string }>({
    initial: { name: '' },
    prefix: 'folder_',
    submit: async ({ name }) => {
      const fault = nameFault(name)
      if (fault) {
        form.setErrors({ name: faultText(t, fault) })
        return
      }
      const headers = keyOf([parent, name])
      const { id, message } = await createFolder(parent, name, { headers })
      const toast = toasts.success(message, {
        actions: [
          {
            label: t('files.openFolder'),
            onPress: () => {
              toast.close()
              void navigate({ to: `/files/${id}` })
            },
          },
        ],
      })
      await forgetFiles(client)
      onClose()
    },
  })
  return (
    <Dialog
      open
      title={t('words.newFolder')}
      onClose={onClose}
      actions={[
        { preset: 'submit', label: t('files.create'), busy: form.busy, busyLabel: t('words.saving') },
      ]}
    >
      <form {...form.props}>
        <TextField
          {...form.field('name')}
          label={t('words.name')}
          hint={t('files.newFolderHint')}
          required
          maxLength={longestName}
          autoComplete="off"
          spellCheck={false}
        />
      </form>
    </Dialog>
  )
}
