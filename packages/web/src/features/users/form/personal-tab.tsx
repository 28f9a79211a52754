import { userFields } from '@gatehouse/contract/directory/user-fields'
import type { UserDetail } from '@gatehouse/contract/directory/users'
import { type ComponentProps, useMemo } from 'react'
import { FieldPairs } from '../../../domain/new-objects/field-pairs.tsx'
import { useLanguage, useT } from '../../../i18n/i18n.ts'
import { config } from '../../../platform/config.ts'
import { Select } from '../../../ui/fields/select.tsx'
import { TextArea } from '../../../ui/fields/text-area.tsx'
import { TextField } from '../../../ui/fields/text-field.tsx'
import { FormSection } from '../../../ui/form/form-section.tsx'
import { countryOptions } from '../countries.ts'
import { Glance } from '../glance.tsx'
import { EditFrame } from './edit-frame.tsx'
import type { UserForm } from './use-user-form.ts'
import { type ProfileField, profileFields } from './user-values.ts'

/** Name, contact data, and the address for receipts. */
export function PersonalTab({ user, edit }: { user: UserDetail; edit: UserForm }) {
  const t = useT()
  return (
    <div className="columns">
      <EditFrame edit={edit} label={t('users.personal')}>
        <FormSection title={t('words.name')}>
          <ProfileInputs section="name" user={user} form={edit.form} />
        </FormSection>
        <FormSection title={t('users.contactSection')} hint={t('users.contactHint')}>
          <ProfileInputs section="contact" user={user} form={edit.form} />
        </FormSection>
        <FormSection title={t('users.billingSection')} hint={t('users.billingHint')}>
          <ProfileInputs section="billing" user={user} form={edit.form} />
        </FormSection>
      </EditFrame>
      <Glance user={user} />
    </div>
  )
}

interface InputsProps {
  section: (typeof userFields)[ProfileField]['section']
  user: UserDetail
  form: UserForm['form']
}

/** Fields of a section, single-line ones in two columns. */
function ProfileInputs({ section, user, form }: InputsProps) {
  const names = profileFields.filter((name) => userFields[name].section === section)
  const inputs = names.map((name) => <ProfileInput key={name} name={name} user={user} form={form} />)
  return section === 'billing' ? inputs : <FieldPairs>{inputs}</FieldPairs>
}

function ProfileInput({
  name,
  user,
  form,
}: {
  name: ProfileField
  user: UserDetail
  form: UserForm['form']
}) {
  const t = useT()
  const { kind, max } = userFields[name]
  const common = {
    ...form.field(name),
    label: t(`userfields.${name}`),
    disabled: !user.canUpdate,
    maxLength: max,
  }
  switch (kind) {
    case 'lines':
      return <TextArea {...common} rows={3} />
    case 'country':
      return <Country {...common} />
    case 'email':
      return (
        <TextField
          {...common}
          // password links are sent there
          disabled={!user.canChangeAccess}
          hint={t('users.external_emailHint')}
          type="email"
          autoComplete="off"
        />
      )
    default:
      return <TextField {...common} {...(kind === 'phone' && { type: 'tel' })} autoComplete="off" />
  }
}

function Country(props: Omit<ComponentProps<typeof Select>, 'options'>) {
  const t = useT()
  const language = useLanguage()
  const countries = useMemo(() => countryOptions(config.countries, language), [language])
  return <Select {...props} options={[{ value: '', label: t('users.noCountry') }, ...countries]} />
}
