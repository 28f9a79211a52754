import { useT } from '../../i18n/i18n.ts'
import { useActWith } from '../../platform/api/use-act.ts'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { TextField } from '../../ui/fields/text-field.tsx'
import { useForm } from '../../ui/form/use-form.ts'
import { type FactorKind, kinds, longestName, rereadFactors } from './factor-calls.ts'
import type { ListedFactor } from './factor-list.tsx'

export interface FactorDialogProps {
  kind: FactorKind
  factor: ListedFactor
  onClose: () => void
}

/** Renames a factor. */
export function RenameDialog({ kind, factor, onClose }: FactorDialogProps) {
  const t = useT()
  const act = useActWith(rereadFactors)
  const { rename, nameField } = kinds[kind]
  const form = useForm<{ label: string; name: string }>({
    initial: { label: factor.name, name: factor.name },
    prefix: 'factor-',
    submit: async (values) => {
      await act(() => rename(factor.id, values[nameField].trim()), onClose)
    },
  })
  return (
    <Dialog
      open
      title={t('factors.renameTitle', { name: factor.name })}
      onClose={onClose}
      actions={[{ preset: 'save', busy: form.busy, busyLabel: t('words.saving') }]}
    >
      <form {...form.props}>
        <TextField
          {...form.field(nameField)}
          label={t('words.name')}
          maxLength={longestName}
          autoComplete="off"
          required
        />
      </form>
    </Dialog>
  )
}
