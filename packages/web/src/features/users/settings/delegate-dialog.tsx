import { displayAddress } from '@gatehouse/contract/canonical-address'
import type { Delegation, DelegationAccess } from '@gatehouse/contract/directory/delegation'
import type { UserDetail } from '@gatehouse/contract/directory/users'
import { useT } from '../../../i18n/i18n.ts'
import { call } from '../../../platform/api/api.ts'
import { useActWith } from '../../../platform/api/use-act.ts'
import { FormDialog } from '../../../ui/dialog/form-dialog.tsx'
import { Checkbox } from '../../../ui/fields/checkbox.tsx'
import { FieldNotes } from '../../../ui/fields/field.tsx'
import { Select } from '../../../ui/fields/select.tsx'
import { errorLine } from '../../../ui/form/field-errors.ts'
import { type Form, useForm } from '../../../ui/form/use-form.ts'
import { AddressInput } from './address-input.tsx'
import {
  accessLabels,
  type DelegateValues,
  delegateValues,
  delegationInput,
  grantsAnything,
  kindLabels,
  kinds,
} from './delegation-rights.ts'
import { usePersonName } from './person-name.ts'

export interface DelegateDialogProps {
  user: UserDetail
  /** Whose rights are changed; absent for a new delegate. */
  delegate: Delegation | undefined
  onClose: () => void
}

/** Adds somebody who may act for a user, or changes what they may do. */
export function DelegateDialog({ user, delegate, onClose }: DelegateDialogProps) {
  const t = useT()
  const who = usePersonName(user)
  const form = useDelegateForm({ user, delegate, onClose })
  return (
    <FormDialog
      title={
        delegate ? t('usersettings.editTitle', { name: delegate.name }) : t('usersettings.addTitle', who)
      }
      form={form}
      onClose={onClose}
      preset="save"
      submitLabel={delegate ? undefined : t('usersettings.addDo')}
      busyLabel={t('words.saving')}
      disabled={delegate && !form.dirty && !form.busy}
    >
      {delegate ? (
        <p className="text-2">{displayAddress(delegate.email)}</p>
      ) : (
        <AddressInput {...form.field('email')} besides={user.email} />
      )}
      <Rights form={form} />
      <Checkbox
        {...form.check('send_as')}
        label={t('usersettings.sendAsLabel', { email: displayAddress(user.email) })}
        hint={t('usersettings.sendAsText')}
      />
      {/* Enter in a field saves, as the button in the foot does */}
      <button type="submit" hidden />
    </FormDialog>
  )
}

function useDelegateForm({ user, delegate, onClose }: DelegateDialogProps): Form<DelegateValues> {
  const t = useT()
  const act = useActWith(['GET /api/v4/users/{id}/delegations'])
  const form: Form<DelegateValues> = useForm<DelegateValues>({
    initial: delegateValues(delegate?.email ?? '', delegate?.options),
    prefix: 'delegation-',
    submit: async (values) => {
      if (!grantsAnything(values)) return form.setErrors({ options: t('usersettings.noRights') })
      const id = String(user.id)
      const options = delegationInput(values)
      const send = (): Promise<{ message: string }> =>
        delegate
          ? call('PUT /api/v4/users/{id}/delegations/{email}', {
              params: { id, email: delegate.email },
              body: { options },
            })
          : call('POST /api/v4/users/{id}/delegations', {
              params: { id },
              body: { email: values.email.trim(), options },
            })
      await act(send, onClose)
    },
  })
  return form
}

/** One choice for each kind; the server speaks of all of them as `options`. */
function Rights({ form }: { form: Form<DelegateValues> }) {
  const t = useT()
  const error = form.errors.options
  const access: readonly DelegationAccess[] = ['read-only', 'read-write']
  const choices = [
    { value: '', label: t('words.none') },
    ...access.map((value) => ({ value, label: t(accessLabels[value]) })),
  ]
  return (
    <fieldset className="delegation-rights" aria-describedby={error && 'delegation-options-error'}>
      <legend className="field-label">{t('words.rights')}</legend>
      <input type="hidden" name="options" />
      <div className="delegation-kinds">
        {kinds.map((kind) => (
          <Select
            key={kind}
            id={`delegation-${kind}`}
            name={kind}
            label={t(kindLabels[kind])}
            value={form.values[kind]}
            onValue={(value) => form.set(kind, access.find((known) => known === value) ?? '')}
            options={choices}
          />
        ))}
      </div>
      <div role="alert">
        <FieldNotes id="delegation-options" error={error && errorLine(error)} />
      </div>
    </fieldset>
  )
}
