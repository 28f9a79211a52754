import type { AppPassword } from '@gatehouse/contract/sessions/app-passwords'
import { useQueryClient } from '@tanstack/react-query'
import { useT } from '../../i18n/i18n.ts'
import { call } from '../../platform/api/api.ts'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { TextField } from '../../ui/fields/text-field.tsx'
import { useForm } from '../../ui/form/use-form.ts'
import { toasts } from '../../ui/toasts/store.ts'

/** Gives an app password another name. */
export function RenameDialog({ row, onClose }: { row: AppPassword; onClose: () => void }) {
  const t = useT()
  const client = useQueryClient()
  const form = useForm({
    initial: { name: row.name },
    prefix: 'app-password-',
    submit: async ({ name }) => {
      const params = { id: row.id }
      const { message } = await call('PUT /api/v4/app-passwords/{id}', { params, body: { name } })
      toasts.success(message)
      onClose()
      await client.invalidateQueries({ queryKey: ['GET /api/v4/app-passwords'] })
    },
  })
  return (
    <Dialog
      open
      title={t('apppasswords.renameTitle', { name: row.name })}
      onClose={onClose}
      actions={[
        { preset: 'save', busy: form.busy, busyLabel: t('form.saving'), disabled: !form.dirty && !form.busy },
      ]}
    >
      <form {...form.props} className="stack">
        <TextField
          {...form.field('name')}
          label={t('apppasswords.name')}
          required
          maxLength={100}
          autoComplete="off"
        />
        <button type="submit" hidden />
      </form>
    </Dialog>
  )
}
