import { displayAddress } from '@gatehouse/contract/canonical-address'
import { type FieldWith, fieldsWith, userFields } from '@gatehouse/contract/directory/user-fields'
import type { Language } from '@gatehouse/contract/language'
import type { StaffUserDetail } from '@gatehouse/contract/staff/staff-views'
import IconMailForward from '@tabler/icons-react/dist/esm/icons/IconMailForward.mjs'
import IconPencil from '@tabler/icons-react/dist/esm/icons/IconPencil.mjs'
import { type ReactNode, useState } from 'react'
import { countryNames, regionName } from '../../../domain/country-picker/countries.ts'
import { useMailStorageFact } from '../../../domain/mail-storage/mail-storage.tsx'
import { balance, day, moment } from '../../../i18n/format.ts'
import { useLanguage, useT } from '../../../i18n/i18n.ts'
import { Link } from '../../../router/link.tsx'
import { Button } from '../../../ui/buttons/button.tsx'
import { Address } from '../../../ui/facts/address.tsx'
import type { Fact } from '../../../ui/facts/facts.tsx'
import { ProtectionKinds } from '../../../ui/facts/protection-kinds.tsx'
import { Panel, Tag } from '../../../ui/page/panel.tsx'
import { FactList } from '../shared/fact-list.tsx'
import { reasonLabels } from '../shared/suspension.tsx'
import { fullName } from './customer-calls.ts'
import { ExternalEmailDialog } from './external-email-dialog.tsx'
import { PasswordLinkDialog } from './password-link-dialog.tsx'

/** Identity and contact data of the user. Free text is shown as plain text. */
export function CustomerFacts({ user }: { user: StaffUserDetail }) {
  const t = useT()
  const language = useLanguage()
  const storage = useMailStorageFact(user.mailStorage)
  const { settings, config, owner, tenant } = user
  const isOwner = owner === null || owner.id === user.id
  const facts: (Fact | false)[] = [
    !isOwner && {
      label: t('customer.managedBy'),
      value: (
        <Link to={`/user/${owner.id}`}>
          <Address>{displayAddress(owner.email)}</Address>
        </Link>
      ),
    },
    tenant.id !== null && { label: t('words.tenant'), value: tenant.title },
    user.role !== null && { label: t('words.role'), value: t(roleLabels[user.role]) },
    { label: t('words.created'), value: day(user.created_at) },
    {
      label: t('customer.lastSignIn'),
      value: user.lastSignInAt === null ? t('customer.never') : moment(user.lastSignInAt),
    },
    user.suspension_reason !== null && {
      label: t('words.reason'),
      value: t(reasonLabels[user.suspension_reason]),
    },
    (user.isRestricted || config.limit_geo.length > 0) && {
      label: t('words.limits'),
      value: (
        <span className="cockpit-tags">
          {user.isRestricted && <Tag>{t('customer.restricted')}</Tag>}
          {config.limit_geo.length > 0 && (
            <Tag>{t('customer.geoLock', { countries: config.limit_geo.join(', ') })}</Tag>
          )}
        </span>
      ),
    },
    { label: t('words.name'), value: fullName(user) },
    ...fieldsWith('section')
      // the name is one fact
      .filter((name) => !('isListed' in userFields[name]))
      .map((name) => ({
        label: t(`userfields.${name}`),
        value: personalFact(user, name, language),
      })),
    {
      label: t('wallet.balance'),
      value: (
        <span>
          <span className={user.wallet.balance < 0 ? 'medium negative' : 'medium'}>
            {balance(user.wallet.balance, user.wallet.currency)}
          </span>{' '}
          {!isOwner && <span className="text-3">{t('customer.ownersWallet')}</span>}
        </span>
      ),
    },
    ...storage,
    // explains the missing button to sign in as the user
    !user.isStaffAccessAllowed && { label: t('customer.staffAccess'), value: t('customer.staffAccessOff') },
    {
      label: t('words.secondFactor'),
      value: user.factors?.length ? (
        <ProtectionKinds kinds={user.factors} />
      ) : (
        t(user.hasSecondFactor ? 'words.on' : 'customer.off')
      ),
    },
  ]
  return (
    <Panel title={t(isOwner ? 'customer.titleOwner' : 'words.user')}>
      <FactList facts={facts.filter((fact) => fact !== false).filter(({ value }) => Boolean(value))} />
      {user.staffRights.canSendPasswordLink && settings.external_email && (
        <PasswordLink user={user} address={settings.external_email} />
      )}
      {config.limit_geo.length > 0 && (
        <span className="visually-hidden">{countryNames(config.limit_geo, language)}</span>
      )}
    </Panel>
  )
}

/** Returns the value of a personal field, if set. */
function personalFact(user: StaffUserDetail, name: FieldWith<'section'>, language: Language): ReactNode {
  const value = user.settings[name]
  const { kind } = userFields[name]
  if (kind === 'email') return <ExternalEmail user={user} />
  if (kind === 'lines') return value && <span className="cockpit-lines">{value}</span>
  return kind === 'country' ? value && regionName(value, language) : value
}

const roleLabels = {
  admin: 'customer.roleAdmin',
  reseller: 'customer.roleReseller',
  service: 'customer.roleService',
} as const

function ExternalEmail({ user }: { user: StaffUserDetail }) {
  const t = useT()
  const [open, setOpen] = useState(false)
  const address = user.settings.external_email
  const held = user.passwordLinksHeldUntil
  return (
    <span className="cockpit-address">
      <span className="cockpit-with-button">
        {address ? (
          <a href={`mailto:${encodeURIComponent(address)}`}>
            <Address>{address}</Address>
          </a>
        ) : (
          t('customer.none')
        )}
        {user.staffRights.canChangeExternalEmail && (
          <Button
            variant="quiet"
            size="small"
            icon={IconPencil}
            label={t('customer.editExternalEmail')}
            onPress={() => setOpen(true)}
          />
        )}
      </span>
      {held && <span className="text-3 small">{t('customer.linksHeld', { time: moment(held) })}</span>}
      {open && <ExternalEmailDialog user={user} onClose={() => setOpen(false)} />}
    </span>
  )
}

function PasswordLink({ user, address }: { user: StaffUserDetail; address: string }) {
  const t = useT()
  const [open, setOpen] = useState(false)
  return (
    <div className="cockpit-panel-act">
      <Button size="small" icon={IconMailForward} onPress={() => setOpen(true)}>
        {t('customer.sendLink')}
      </Button>
      {open && <PasswordLinkDialog user={user} address={address} onClose={() => setOpen(false)} />}
    </div>
  )
}
