import type { UserDetail } from '@gatehouse/contract/directory/users'
import { useMemo } from 'react'
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

/** Name, ways to reach the person, and the address for receipts. */
export function PersonalTab({ user, edit }: { user: UserDetail; edit: UserForm }) {
  const t = useT()
  const { form } = edit
  const fixed = { disabled: !user.canUpdate }
  return (
    <div className="columns">
      <EditFrame edit={edit} label={t('users.personal')}>
        <FormSection title={t('users.nameSection')}>
          <div className="field-pair">
            <TextField
              {...form.field('first_name')}
              {...fixed}
              label={t('users.first_name')}
              autoComplete="off"
              maxLength={128}
            />
            <TextField
              {...form.field('last_name')}
              {...fixed}
              label={t('users.last_name')}
              autoComplete="off"
              maxLength={128}
            />
          </div>
          <TextField
            {...form.field('organization')}
            {...fixed}
            label={t('users.organization')}
            autoComplete="off"
            maxLength={512}
          />
        </FormSection>
        <FormSection title={t('users.contactSection')} hint={t('users.contactHint')}>
          <div className="field-pair">
            <TextField
              {...form.field('phone')}
              {...fixed}
              label={t('users.phone')}
              type="tel"
              autoComplete="off"
              maxLength={64}
            />
            <TextField
              {...form.field('external_email')}
              disabled={!user.canChangeAccess}
              label={t('users.external_email')}
              hint={t('users.external_emailHint')}
              type="email"
              autoComplete="off"
              maxLength={191}
            />
          </div>
        </FormSection>
        <FormSection title={t('users.billingSection')} hint={t('users.billingHint')}>
          <TextArea
            {...form.field('billing_address')}
            {...fixed}
            label={t('users.billing_address')}
            rows={3}
            maxLength={1024}
          />
          <Country form={form} disabled={!user.canUpdate} />
        </FormSection>
      </EditFrame>
      <Glance user={user} />
    </div>
  )
}

function Country({ form, disabled }: { form: UserForm['form']; disabled: boolean }) {
  const t = useT()
  const language = useLanguage()
  const countries = useMemo(() => countryOptions(config.countries, language), [language])
  return (
    <Select
      {...form.field('country')}
      label={t('users.country')}
      options={[{ value: '', label: t('users.noCountry') }, ...countries]}
      disabled={disabled}
    />
  )
}
