import IconTicket from '@tabler/icons-react/dist/esm/icons/IconTicket.mjs'
import { useT } from '../../../i18n/i18n.ts'
import { TextField } from '../../../ui/fields/text-field.tsx'
import type { Form } from '../../../ui/form/use-form.ts'

/** Token that unlocks a plan in token mode. */
export function TokenField(field: ReturnType<Form<{ token: string }>['field']>) {
  const t = useT()
  return (
    <TextField
      {...field}
      label={t('signup.token')}
      icon={IconTicket}
      autoComplete="off"
      autoCapitalize="characters"
      spellCheck={false}
      maxLength={191}
      required
    />
  )
}
