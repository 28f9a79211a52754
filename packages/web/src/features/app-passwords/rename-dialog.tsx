import type { AppPassword } from '@gatehouse/contract/sessions/app-passwords'
import { useT } from '../../i18n/i18n.ts'
import { useAct } from '../../platform/api/use-act.ts'
import { FormDialog } from '../../ui/dialog/form-dialog.tsx'
import { TextField } from '../../ui/fields/text-field.tsx'
import { useForm } from '../../ui/form/use-form.ts'

/** Renames an app password. */
export function RenameDialog({ row, onClose }: { row: AppPassword; onClose: () => void }) {
  const t = useT()
  const act = useAct('PUT /api/v4/app-passwords/{id}', ['GET /api/v4/app-passwords'])
  const form = useForm({
    initial: { name: row.name },
    prefix: 'app-password-',
    submit: async ({ name }) => {
      if (name === row.name) return onClose()
      const params = { id: row.id }
      await act({ params, body: { name } }, onClose)
    },
  })
  return (
    <FormDialog
      title={t('apppasswords.renameTitle', { name: row.name })}
      form={form}
      onClose={onClose}
      preset="save"
      busyLabel={t('words.saving')}
    >
      <TextField
        {...form.field('name')}
        label={t('words.name')}
        required
        maxLength={100}
        autoComplete="off"
      />
      <button type="submit" hidden />
    </FormDialog>
  )
}
