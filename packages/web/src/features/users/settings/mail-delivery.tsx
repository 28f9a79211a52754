import type { UserConfig } from '@gatehouse/contract/directory/users'
import type { EffectiveSettings } from '@gatehouse/contract/policies'
import type { MessageKey } from '../../../i18n/areas.ts'
import { type Translate, useT } from '../../../i18n/i18n.ts'
import { hasPermission } from '../../../platform/session/auth.ts'
import { ButtonLink } from '../../../ui/buttons/button.tsx'
import { Select } from '../../../ui/fields/select.tsx'
import { FormSection } from '../../../ui/form/form-section.tsx'
import { SavePanel } from '../../../ui/form/save-panel.tsx'
import type { Form } from '../../../ui/form/use-form.ts'
import { defaultOf, type MailChoices, type MailSwitch } from './configuration.ts'
import { InEffect } from './in-effect.tsx'

export interface MailDeliveryProps {
  form: Form<MailChoices>
  config: UserConfig
  shown: readonly MailSwitch[]
  effective: EffectiveSettings | undefined
}

const texts: Record<MailSwitch['key'], { title: MessageKey; help: MessageKey }> = {
  greylist_enabled: { title: 'words.greylisting', help: 'usersettings.greylistText' },
  itip_config: { title: 'words.calendarInvitations', help: 'usersettings.itipText' },
  externalsender_config: { title: 'words.externalSenderWarning', help: 'usersettings.externalText' },
}

const sources = {
  user: 'usersettings.byUser',
  account: 'usersettings.byAccount',
  system: 'usersettings.bySystem',
} as const

/** Overrides of the account's mail policies for a user. */
export function MailDelivery({ form, config, shown, effective }: MailDeliveryProps) {
  const t = useT()
  return (
    <SavePanel
      form={form}
      title={t('words.mailDelivery')}
      aside={
        hasPermission('settings') && (
          <ButtonLink to="/policies" search={{ tab: 'mail' }} variant="quiet" size="small">
            {t('usersettings.policies')}
          </ButtonLink>
        )
      }
    >
      {shown.map((item) => (
        <FormSection key={item.key} title={t(texts[item.key].title)} hint={t(texts[item.key].help)}>
          <div className="settings-choice">
            <Select
              {...form.field(item.key)}
              label={t(texts[item.key].title)}
              hideLabel
              hint={<InEffect>{effectText(t, effective?.[item.effect])}</InEffect>}
              options={choices(t, defaultOf(item, config, effective).value)}
            />
          </div>
        </FormSection>
      ))}
    </SavePanel>
  )
}

function choices(t: Translate, byDefault: boolean) {
  const value = t(byDefault ? 'usersettings.enabled' : 'usersettings.disabled')
  return [
    { value: 'default', label: t('usersettings.default', { value }) },
    { value: 'on', label: t('usersettings.enable') },
    { value: 'off', label: t('words.disabled') },
  ]
}

function effectText(t: Translate, now: EffectiveSettings['greylist'] | undefined): string | undefined {
  if (!now) return undefined
  const value = t(now.value ? 'usersettings.enabled' : 'usersettings.disabled')
  return t(sources[now.source], { value })
}
