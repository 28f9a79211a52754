import type { RoomConfig, RoomDetail } from '@gatehouse/contract/meetings/rooms'
import { AclInput } from '../../domain/acl-input/acl-input.tsx'
import { useConfigForm } from '../../domain/directory/use-object-forms.ts'
import { useT } from '../../i18n/i18n.ts'
import { Checkbox } from '../../ui/fields/checkbox.tsx'
import { PasswordField } from '../../ui/fields/password-field.tsx'
import { FormSection } from '../../ui/form/form-section.tsx'
import { SavePanel } from '../../ui/form/save-panel.tsx'
import type { Form } from '../../ui/form/use-form.ts'

export interface SettingsValues {
  password: string
  locked: boolean
  nomedia: boolean
  acl: string[]
}

function valuesOf({ password, locked, nomedia, acl = [] }: RoomConfig): SettingsValues {
  return { password: password ?? '', locked, nomedia, acl }
}

/** Access to a room and its moderators. Changes apply immediately to a running meeting. */
export function useSettingsForm(room: RoomDetail): Form<SettingsValues> {
  return useConfigForm('room', room, {
    valuesOf,
    bodyOf: ({ password, locked, nomedia, acl }) => ({
      password: password || null,
      locked,
      nomedia,
      ...(room.canShare && { acl }),
    }),
  })
}

export interface SettingsTabProps {
  room: RoomDetail
  form: Form<SettingsValues>
}

/** The Settings tab of a room. */
export function SettingsTab({ room, form }: SettingsTabProps) {
  const t = useT()
  return (
    <SavePanel form={form} title={t('rooms.entrance')} note={room.isOpen ? t('rooms.atOnce') : undefined}>
      <FormSection title={t('rooms.whoGetsIn')} hint={t('rooms.whoGetsInHint')}>
        <PasswordField
          {...form.field('password')}
          label={t('words.password')}
          hint={t('rooms.passwordHint')}
          optional
          autoComplete="off"
          maxLength={191}
        />
        <Checkbox {...form.check('locked')} label={t('words.lockedRoom')} hint={t('rooms.lockedHint')} />
        <Checkbox
          {...form.check('nomedia')}
          label={t('words.guestsOnlyWatch')}
          hint={t('rooms.nomediaHint')}
        />
      </FormSection>
      {room.canShare && (
        <FormSection title={t('words.moderators')} hint={t('rooms.moderatorsHint')}>
          <AclInput
            {...form.list('acl')}
            label={t('words.moderators')}
            rights={[{ value: 'full', label: t('acl.full') }]}
            userOnly
            placeholder={t('words.personExample')}
          />
        </FormSection>
      )}
    </SavePanel>
  )
}
