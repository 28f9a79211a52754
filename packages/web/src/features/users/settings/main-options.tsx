import type { EffectiveSettings } from '@gatehouse/contract/policies'
import { countryNames } from '../../../domain/country-picker/countries.ts'
import { CountryPicker } from '../../../domain/country-picker/country-picker.tsx'
import { useLanguage, useT } from '../../../i18n/i18n.ts'
import { Checkbox } from '../../../ui/fields/checkbox.tsx'
import { FormSection } from '../../../ui/form/form-section.tsx'
import { SavePanel } from '../../../ui/form/save-panel.tsx'
import type { Form } from '../../../ui/form/use-form.ts'
import { Tag } from '../../../ui/page/panel.tsx'
import { InEffect } from './in-effect.tsx'

export interface MainValues {
  guam_enabled: boolean
  limit_geo: string[]
}

export interface MainOptionsProps {
  form: Form<MainValues>
  effective: EffectiveSettings | undefined
}

/** Where a user may sign in from, and how mail programs access their mail. */
export function MainOptions({ form, effective }: MainOptionsProps) {
  const t = useT()
  const language = useLanguage()
  const countries = effective?.limit_geo.value
  return (
    <SavePanel form={form} title={t('usersettings.main')}>
      <FormSection title={t('words.imapProxy')} hint={t('usersettings.imapText')}>
        <div className="settings-marked">
          <Checkbox {...form.check('guam_enabled')} label={t('usersettings.imapOn')} />
          <Tag accent>{t('usersettings.beta')}</Tag>
        </div>
      </FormSection>
      <FormSection title={t('usersettings.geo')} hint={t('usersettings.geoText')}>
        <CountryPicker
          {...form.list('limit_geo')}
          label={t('usersettings.countries')}
          mark={<Tag accent>{t('usersettings.beta')}</Tag>}
          hint={
            <InEffect>
              {countries &&
                (countries.length > 0
                  ? t('usersettings.geoFrom', { countries: countryNames(countries, language) })
                  : t('usersettings.geoAll'))}
            </InEffect>
          }
        />
      </FormSection>
    </SavePanel>
  )
}
