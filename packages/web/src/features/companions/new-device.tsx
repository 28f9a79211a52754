import { useT } from '../../i18n/i18n.ts'
import { useAct } from '../../platform/api/use-act.ts'
import { useNavigate } from '../../router/router-context.tsx'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { TextField } from '../../ui/fields/text-field.tsx'
import { useForm } from '../../ui/form/use-form.ts'

/** Names a device, then continues with pairing. */
export function NewDevice({ isRecovery, onClose }: { isRecovery: boolean; onClose: () => void }) {
  const t = useT()
  const act = useAct('POST /api/v4/companions', ['GET /api/v4/companions'])
  const navigate = useNavigate()
  const form = useForm({
    initial: { name: t(isRecovery ? 'words.recoveryDevice' : 'companions.defaultName') },
    prefix: 'companion_',
    submit: async ({ name }) => {
      const { id } = await act({ body: { name, recovery: isRecovery } })
      await navigate({ to: `/companion/${id}` })
    },
  })
  return (
    <Dialog
      open
      title={t(isRecovery ? 'companions.prepareRecovery' : 'companions.add')}
      onClose={onClose}
      actions={[{ preset: 'submit', label: t('words.continue'), busy: form.busy }]}
    >
      <p>{t(isRecovery ? 'companions.recoveryText' : 'companions.addText')}</p>
      <form {...form.props}>
        <TextField
          {...form.field('name')}
          label={t('words.name')}
          hint={t('companions.nameHint')}
          maxLength={512}
          autoComplete="off"
          required
        />
      </form>
    </Dialog>
  )
}
