import { displayAddress } from '@gatehouse/contract/canonical-address'
import type { StaffUserDetail } from '@gatehouse/contract/staff/staff-views'
import IconCircleCheck from '@tabler/icons-react/dist/esm/icons/IconCircleCheck.mjs'
import IconCircleX from '@tabler/icons-react/dist/esm/icons/IconCircleX.mjs'
import IconLockOpen from '@tabler/icons-react/dist/esm/icons/IconLockOpen.mjs'
import IconPencil from '@tabler/icons-react/dist/esm/icons/IconPencil.mjs'
import { useState } from 'react'
import { countryNames } from '../../../domain/country-picker/countries.ts'
import { useLanguage, useT } from '../../../i18n/i18n.ts'
import { everything, useAct } from '../../../platform/api/use-act.ts'
import { Button } from '../../../ui/buttons/button.tsx'
import type { Fact } from '../../../ui/facts/facts.tsx'
import { Chip } from '../../../ui/facts/status-chip.tsx'
import { Panel } from '../../../ui/page/panel.tsx'
import { CommentDialog } from '../shared/comment-dialog.tsx'
import { FactList } from '../shared/fact-list.tsx'
import { MailSettingsDialog } from './mail-settings-dialog.tsx'

/** Settings of the user or the account. Staff can view them, change those for mail and release a lockout. */
export function SettingsTab({ user }: { user: StaffUserDetail }) {
  const t = useT()
  const language = useLanguage()
  const { config } = user
  const facts: readonly Fact[] = [
    {
      label: t('words.greylisting'),
      value: <Switch value={config.greylist_enabled} usual={config.greylist_policy} />,
    },
    { label: t('words.imapProxy'), value: <Switch value={config.guam_enabled} /> },
    {
      label: t('words.calendarInvitations'),
      value: <Switch value={config.itip_config} usual={config.itip_policy} />,
    },
    {
      label: t('words.externalSenderWarning'),
      value: <Switch value={config.externalsender_config} usual={config.externalsender_policy} />,
    },
    { label: t('events.passwordRules'), value: config.password_policy ?? t('customer.none') },
    {
      label: t('events.countries'),
      value:
        config.limit_geo.length > 0 ? countryNames(config.limit_geo, language) : t('customer.everywhere'),
    },
    {
      label: t('customer.staffAccess'),
      value: t(user.isStaffAccessAllowed ? 'customer.staffAccessOn' : 'customer.staffAccessOff'),
    },
  ]
  return (
    <Panel
      title={t('words.settings')}
      actions={
        <>
          {user.staffRights.canChangeMailSettings && <MailSettings user={user} />}
          {user.staffRights.canResetGeolock && config.limit_geo.length > 0 && <GeoReset user={user} />}
        </>
      }
    >
      <div className="cockpit-wide-facts">
        <FactList facts={facts} />
      </div>
    </Panel>
  )
}

/** On or off in words; unset values follow the account and say so. */
function Switch({ value, usual }: { value: boolean | null; usual?: boolean }) {
  const t = useT()
  const isOn = value ?? usual ?? false
  return (
    <span className="cockpit-tags">
      <Chip tone={isOn ? 'success' : 'muted'} icon={isOn ? IconCircleCheck : IconCircleX}>
        {t(isOn ? 'words.on' : 'customer.off')}
      </Chip>
      {value === null && <span className="text-3">{t('customer.byAccount')}</span>}
    </span>
  )
}

function MailSettings({ user }: { user: StaffUserDetail }) {
  const t = useT()
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button size="small" icon={IconPencil} onPress={() => setOpen(true)}>
        {t('customer.changeMailSettings')}
      </Button>
      {open && <MailSettingsDialog user={user} onClose={() => setOpen(false)} />}
    </>
  )
}

function GeoReset({ user }: { user: StaffUserDetail }) {
  const t = useT()
  const act = useAct('POST /api/v4/users/{id}/reset-geolock', everything)
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button size="small" icon={IconLockOpen} onPress={() => setOpen(true)}>
        {t('customer.resetGeo')}
      </Button>
      {open && (
        <CommentDialog
          title={t('customer.geoTitle', { name: displayAddress(user.email) })}
          effects={[t('customer.geoEffect')]}
          verb={t('customer.geoNow')}
          icon={IconLockOpen}
          isDanger
          onClose={() => setOpen(false)}
          send={(comment) =>
            act({
              params: { id: String(user.id) },
              body: { comment },
            })
          }
        />
      )}
    </>
  )
}
