import type { RoomConfig, RoomDetail } from '@gatehouse/contract/meetings/rooms'
import { useQueryClient } from '@tanstack/react-query'
import { AclInput } from '../../domain/acl-input/acl-input.tsx'
import { forgetKind } from '../../domain/directory/kind.ts'
import { useT } from '../../i18n/i18n.ts'
import { useAct } from '../../platform/api/use-act.ts'
import { Checkbox } from '../../ui/fields/checkbox.tsx'
import { PasswordField } from '../../ui/fields/password-field.tsx'
import { FormPanel } from '../../ui/form/form-panel.tsx'
import { FormSection } from '../../ui/form/form-section.tsx'
import { type Form, useForm } from '../../ui/form/use-form.ts'
import { roomKind, roomQuery } from './room-kind.ts'

export interface SettingsValues {
  password: string
  locked: boolean
  nomedia: boolean
  acl: string[]
}

function valuesOf({ password, locked, nomedia, acl = [] }: RoomConfig): SettingsValues {
  return { password: password ?? '', locked, nomedia, acl }
}

/** Who gets into a room and how, and who moderates. A running meeting follows at once. */
export function useSettingsForm(room: RoomDetail): Form<SettingsValues> {
  const client = useQueryClient()
  const save = useAct('POST /api/v4/rooms/{id}/config')
  const form: Form<SettingsValues> = useForm<SettingsValues>({
    initial: valuesOf(room.config),
    submit: async ({ password, locked, nomedia, acl }) => {
      await save({
        params: { id: String(room.id) },
        body: { password: password || null, locked, nomedia, ...(room.canShare && { acl }) },
      })
      const { config } = await client.fetchQuery({ ...roomQuery(room.id), staleTime: 0 })
      form.reset(valuesOf(config))
      forgetKind(client, roomKind)
    },
  })
  return form
}

export interface SettingsTabProps {
  room: RoomDetail
  form: Form<SettingsValues>
}

/** The Settings tab of a room. */
export function SettingsTab({ room, form }: SettingsTabProps) {
  const t = useT()
  return (
    <FormPanel form={form} title={t('rooms.entrance')} note={room.isOpen ? t('rooms.atOnce') : undefined}>
      <FormSection title={t('rooms.whoGetsIn')} hint={t('rooms.whoGetsInHint')}>
        <PasswordField
          {...form.field('password')}
          label={t('rooms.password')}
          hint={t('rooms.passwordHint')}
          optional
          autoComplete="off"
          maxLength={191}
        />
        <Checkbox {...form.check('locked')} label={t('rooms.lockedLabel')} hint={t('rooms.lockedHint')} />
        <Checkbox {...form.check('nomedia')} label={t('rooms.nomediaLabel')} hint={t('rooms.nomediaHint')} />
      </FormSection>
      {room.canShare && (
        <FormSection title={t('rooms.moderators')} hint={t('rooms.moderatorsHint')}>
          <AclInput
            {...form.list('acl')}
            label={t('rooms.moderators')}
            rights={[{ value: 'full', label: t('acl.full') }]}
            userOnly
            placeholder={t('rooms.moderatorExample')}
          />
        </FormSection>
      )}
    </FormPanel>
  )
}
