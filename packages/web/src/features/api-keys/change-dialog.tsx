import type { ApiKey } from '@gatehouse/contract/sessions/api-keys'
import { useT } from '../../i18n/i18n.ts'
import { useAct } from '../../platform/api/use-act.ts'
import { FormDialog } from '../../ui/dialog/form-dialog.tsx'
import { TextField } from '../../ui/fields/text-field.tsx'
import { useForm } from '../../ui/form/use-form.ts'
import { NetworksField, networksIn } from './networks-field.tsx'

/** Changes the name and networks of an API key. */
export function ChangeDialog({ row, onClose }: { row: ApiKey; onClose: () => void }) {
  const t = useT()
  const act = useAct('PUT /api/v4/api-keys/{id}', ['GET /api/v4/api-keys'])
  const form = useForm({
    initial: { name: row.name, networks: row.networks.join('\n') },
    prefix: 'api-key-',
    submit: async ({ name, networks }) => {
      await act({ params: { id: row.id }, body: { name, networks: networksIn(networks) } }, onClose)
    },
  })
  return (
    <FormDialog
      title={t('apikeys.changeTitle', { name: row.name })}
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
      <NetworksField field={form.field('networks')} />
    </FormDialog>
  )
}
