import { useNavigate } from '@tanstack/react-router'
import { useT } from '../../i18n/i18n.ts'
import { call } from '../../platform/api/api.ts'
import { queryClient } from '../../platform/api/query.tsx'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { TextField } from '../../ui/fields/text-field.tsx'
import { useForm } from '../../ui/form/use-form.ts'
import { toasts } from '../../ui/toasts/store.ts'

/** Names a device and goes on to pair it. */
export function NewDevice({ isRecovery, onClose }: { isRecovery: boolean; onClose: () => void }) {
  const t = useT()
  const navigate = useNavigate()
  const form = useForm({
    initial: { name: t(isRecovery ? 'companions.recoveryName' : 'companions.defaultName') },
    prefix: 'companion_',
    submit: async ({ name }) => {
      const body = { name, recovery: isRecovery }
      const { id, message } = await call('POST /api/v4/companions', { body })
      toasts.success(message)
      await queryClient.invalidateQueries({ queryKey: ['GET /api/v4/companions'] })
      await navigate({ to: `/companion/${id}` })
    },
  })
  return (
    <Dialog
      open
      title={t(isRecovery ? 'companions.prepareRecovery' : 'companions.add')}
      onClose={onClose}
      actions={[{ preset: 'submit', label: t('companions.create'), busy: form.busy }]}
    >
      <p>{t(isRecovery ? 'companions.recoveryText' : 'companions.addText')}</p>
      <form {...form.props}>
        <TextField
          {...form.field('name')}
          label={t('companions.name')}
          hint={t('companions.nameHint')}
          maxLength={512}
          autoComplete="off"
          required
        />
      </form>
    </Dialog>
  )
}
