import { displayAddress } from '@gatehouse/contract/canonical-address'
import type { StaffUserDetail } from '@gatehouse/contract/staff/staff-views'
import { useT } from '../../../i18n/i18n.ts'
import { everything, useAct } from '../../../platform/api/use-act.ts'
import { FormDialog } from '../../../ui/dialog/form-dialog.tsx'
import { Checkbox } from '../../../ui/fields/checkbox.tsx'
import { ListInput } from '../../../ui/fields/list-input.tsx'
import { Select } from '../../../ui/fields/select.tsx'
import { TextArea } from '../../../ui/fields/text-area.tsx'
import { useForm } from '../../../ui/form/use-form.ts'

/** Settings of the user that follow the account unless they are set. */
const inherited = [
  { name: 'greylist_enabled', label: 'words.greylisting' },
  { name: 'itip_config', label: 'words.calendarInvitations' },
  { name: 'externalsender_config', label: 'words.externalSenderWarning' },
] as const

/** Policies of the account, which are set at its owner. */
const policies = [
  { name: 'greylist_policy', label: 'words.greylisting' },
  { name: 'itip_policy', label: 'words.calendarInvitations' },
  { name: 'externalsender_policy', label: 'words.externalSenderWarning' },
] as const

const choiceOf = (value: boolean | null) => (value === null ? 'default' : String(value))
const settingOf = (choice: string) => (choice === 'default' ? null : choice === 'true')

function valuesOf({ config }: StaffUserDetail) {
  return {
    greylist_enabled: choiceOf(config.greylist_enabled),
    itip_config: choiceOf(config.itip_config),
    externalsender_config: choiceOf(config.externalsender_config),
    guam_enabled: config.guam_enabled ?? false,
    greylist_policy: config.greylist_policy,
    itip_policy: config.itip_policy,
    externalsender_policy: config.externalsender_policy,
    externalsender_policy_domains: config.externalsender_policy_domains,
    comment: '',
  }
}

type Values = ReturnType<typeof valuesOf>

/** Only what was changed is sent, so that inherited settings stay inherited. */
function changesOf(values: Values, before: Values) {
  const { comment, ...settings } = values
  const changed = Object.entries(settings).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name as keyof Values]), // names are those of the form
  )
  const choices: readonly string[] = inherited.map(({ name }) => name)
  const body = changed.map(([name, value]) => [
    name,
    choices.includes(name) && typeof value === 'string' ? settingOf(value) : value,
  ])
  return { ...Object.fromEntries(body), comment: comment.trim() || null }
}

/** Changes the mail settings of a user and, at the owner, the mail policies of the account. */
export function MailSettingsDialog({ user, onClose }: { user: StaffUserDetail; onClose: () => void }) {
  const t = useT()
  const act = useAct('POST /api/v4/users/{id}/mail-settings', everything)
  const before = valuesOf(user)
  const form = useForm({
    initial: before,
    prefix: 'mail-settings-',
    submit: async (values) => {
      await act({ params: { id: String(user.id) }, body: changesOf(values, before) })
      onClose()
    },
  })
  const options = [
    { value: 'default', label: t('customer.byAccount') },
    { value: 'true', label: t('words.on') },
    { value: 'false', label: t('customer.off') },
  ]
  const isOwner = user.owner?.id === user.id
  return (
    <FormDialog
      title={t('customer.mailSettingsTitle', { name: displayAddress(user.email) })}
      form={form}
      onClose={onClose}
      preset="save"
      busyLabel={t('words.saving')}
    >
      {inherited.map(({ name, label }) => (
        <Select key={name} {...form.field(name)} label={t(label)} options={options} />
      ))}
      <Checkbox {...form.check('guam_enabled')} label={t('words.imapProxy')} />
      {isOwner && (
        <fieldset className="cockpit-policies">
          <legend>{t('customer.accountPolicies')}</legend>
          {policies.map(({ name, label }) => (
            <Checkbox key={name} {...form.check(name)} label={t(label)} />
          ))}
          <ListInput
            {...form.list('externalsender_policy_domains')}
            label={t('words.internalDomains')}
            placeholder={t('customer.domainExample')}
          />
        </fieldset>
      )}
      <TextArea
        {...form.field('comment')}
        label={t('cockpit.comment')}
        hint={t('cockpit.commentHint')}
        optional
        rows={3}
        maxLength={1024}
      />
    </FormDialog>
  )
}
