import { canonicalAddress, displayAddress, displayDomain } from '@gatehouse/contract/canonical-address'
import type { Delegation, DelegationAccess } from '@gatehouse/contract/directory/delegation'
import type { UserDetail } from '@gatehouse/contract/directory/users'
import { PersonField } from '../../../domain/suggest/person-field.tsx'
import { useT } from '../../../i18n/i18n.ts'
import { call } from '../../../platform/api/api.ts'
import { useActWith } from '../../../platform/api/use-act.ts'
import { FormDialog } from '../../../ui/dialog/form-dialog.tsx'
import { Checkbox } from '../../../ui/fields/checkbox.tsx'
import { Choices } from '../../../ui/fields/choices.tsx'
import { FieldNotes } from '../../../ui/fields/field.tsx'
import { Select } from '../../../ui/fields/select.tsx'
import { errorLine } from '../../../ui/form/field-errors.ts'
import { type Form, useForm } from '../../../ui/form/use-form.ts'
import {
  accessLabels,
  type DelegateValues,
  delegateValues,
  delegationInput,
  grantsAnything,
  kindLabels,
  kinds,
  presetLabels,
  presetOptions,
  presets,
  rightsInWords,
} from './delegation-rights.ts'
import { usePersonName } from './person-name.ts'

export interface DelegateDialogProps {
  user: UserDetail
  /** The delegate to edit; undefined for a new one. */
  delegate: Delegation | undefined
  /** Addresses that are already delegates. */
  known: readonly string[]
  onClose: () => void
}

/** Adds a delegate of a user, or changes their rights. */
export function DelegateDialog({ user, delegate, known, onClose }: DelegateDialogProps) {
  const t = useT()
  const who = usePersonName(user)
  const form = useDelegateForm({ user, delegate, onClose })
  const domain = canonicalAddress(user.email).split('@')[1] ?? ''
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
    >
      {delegate ? (
        <p className="text-2">{displayAddress(delegate.email)}</p>
      ) : (
        <PersonField
          {...form.field('email')}
          label={t('usersettings.delegate')}
          hint={t('usersettings.delegateText', { domain: displayDomain(domain) })}
          domain={domain}
          except={user.email}
          besides={known}
        />
      )}
      <PresetChoice user={user} form={form} />
      {form.values.preset === 'custom' && <Rights user={user} form={form} />}
      {/* Enter in a field saves, as the button in the foot does */}
      <button type="submit" hidden />
    </FormDialog>
  )
}

function useDelegateForm({
  user,
  delegate,
  onClose,
}: Omit<DelegateDialogProps, 'known'>): Form<DelegateValues> {
  const t = useT()
  const act = useActWith(['GET /api/v4/users/{id}/delegations'])
  const form: Form<DelegateValues> = useForm<DelegateValues>({
    initial: delegateValues(delegate?.email ?? '', delegate?.options),
    prefix: 'delegation-',
    submit: async (values) => {
      if (delegate && !form.dirty) return onClose()
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

interface PartProps {
  user: UserDetail
  form: Form<DelegateValues>
}

/** Common sets of rights. A preset fills in the individual rights, from which `custom` starts. */
function PresetChoice({ user, form }: PartProps) {
  const t = useT()
  const choose = (value: string) => {
    const preset = presets.find((one) => one === value) ?? 'custom'
    const options = presetOptions[preset]
    form.set('preset', preset)
    if (!options) return
    for (const kind of kinds) form.set(kind, options[kind] ?? '')
    form.set('send_as', options.send_as)
  }
  return (
    <Choices
      id="delegation-preset"
      name="preset"
      label={t('words.rights')}
      choices={presets.map((preset) => {
        const options = presetOptions[preset]
        const words = options && rightsInWords(t, options, displayAddress(user.email)).join('. ')
        return {
          value: preset,
          label: t(presetLabels[preset]),
          text: words ? `${words}.` : t('usersettings.customText'),
        }
      })}
      value={form.values.preset}
      onValue={choose}
    />
  )
}

/** One select per kind; the server reports errors of all of them under `options`. */
function Rights({ user, form }: PartProps) {
  const t = useT()
  const error = form.errors.options
  const access: readonly DelegationAccess[] = ['read-only', 'read-write']
  const choices = [
    { value: '', label: t('words.none') },
    ...access.map((value) => ({ value, label: t(accessLabels[value]) })),
  ]
  return (
    <fieldset className="delegation-rights" aria-describedby={error && 'delegation-options-error'}>
      <legend className="visually-hidden">{t('usersettings.custom')}</legend>
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
      <Checkbox
        {...form.check('send_as')}
        label={t('usersettings.sendAsLabel', { email: displayAddress(user.email) })}
        hint={t('usersettings.sendAsText')}
      />
      <div role="alert">
        <FieldNotes id="delegation-options" error={error && errorLine(error)} />
      </div>
    </fieldset>
  )
}
