import type { UserListFacts } from '@gatehouse/contract/directory/user-list-facts'
import type { UserListItem } from '@gatehouse/contract/directory/users'
import IconShieldExclamation from '@tabler/icons-react/dist/esm/icons/IconShieldExclamation.mjs'
import { MailStorageUse } from '../../domain/mail-storage/mail-storage.tsx'
import { fileSize } from '../../i18n/file-size.ts'
import { day, distance, moment, number, price, toDate } from '../../i18n/format.ts'
import { type Translate, useT } from '../../i18n/i18n.ts'
import { config } from '../../platform/config.ts'
import { useNow } from '../../state/use-now.ts'
import { ProtectionKinds } from '../../ui/facts/protection-kinds.tsx'
import { Icon } from '../../ui/icon.tsx'

/** Shown if a value is unknown. */
const unknown = '–'

/** The package with additional subscriptions; on a phone, price and last sign-in follow in the same line. */
export function PackageCell({ facts }: { facts: UserListFacts | undefined }) {
  const t = useT()
  const now = useNow()
  if (!facts) return unknown
  return (
    <>
      <span className="users-package">{packageName(t, facts)}</span>
      <span className="users-phone">
        {facts.price && ` · ${price(facts.price.monthly, facts.price.currency)}`}
        {facts.lastSignInAt && ` · ${t('users.seen', { time: lastSeen(facts.lastSignInAt, now) })}`}
      </span>
    </>
  )
}

function packageName(t: Translate, { package: name, extras }: UserListFacts): string {
  const added = extras.map((extra) =>
    extra.unit === null
      ? extra.name
      : t('users.extraUnits', { count: number(extra.quantity), unit: extra.unit }),
  )
  const parts = name === null ? added : [name, ...added]
  return parts.length === 0 ? unknown : parts.join(' + ')
}

/** Relative time for the last week, otherwise the date. */
export function lastSeen(at: string, now: Date): string {
  const then = toDate(at)
  const age = now.getTime() - then.getTime()
  if (age < 60_000) return distance(now, now)
  if (age < 7 * 86_400_000) return distance(then, now)
  const isThisYear = then.getFullYear() === now.getFullYear()
  return day(then, isThisYear ? { day: 'numeric', month: 'short' } : { dateStyle: 'medium' })
}

/** Last sign-in or use of a session. */
export function SeenCell({ facts }: { facts: UserListFacts | undefined }) {
  const at = facts?.lastSignInAt
  const now = useNow()
  if (!at) return <span className="text-3">{unknown}</span>
  return (
    <time className="text-2 nowrap" dateTime={toDate(at).toISOString()} title={moment(at)}>
      {lastSeen(at, now)}
    </time>
  )
}

/** Storage used by the user's mailbox, if mailboxes exist, and by the user's files. */
export function StorageCell({ facts }: { facts: UserListFacts | undefined }) {
  const t = useT()
  const mail = config['app.mail_connected'] ? facts?.mailStorage : undefined
  const files = facts?.storage?.used ?? null
  if (!mail && files === null) return <span className="text-3">{unknown}</span>
  const limit = facts?.storage?.limit ?? 0
  return (
    <span className="users-storage text-2">
      {mail && <MailStorageUse storage={mail} below />}
      {files !== null && (
        <span className="nowrap" data-full={files > limit || undefined}>
          {mail
            ? t('users.filesUsed', { used: fileSize(files) })
            : limit > 0
              ? t('words.usedOfLimit', { used: fileSize(files), limit: fileSize(limit) })
              : fileSize(files)}
        </span>
      )}
    </span>
  )
}

export function PriceCell({ facts }: { facts: UserListFacts | undefined }) {
  if (!facts?.price) return unknown
  return <span className="nowrap">{price(facts.price.monthly, facts.price.currency)}</span>
}

/** The user's second factors; having none is highlighted, most if the account requires one. */
export function ProtectionCell({ user, isRequired }: { user: UserListItem; isRequired: boolean }) {
  const t = useT()
  if (user.factors.length > 0 || isRequired) {
    return <ProtectionKinds kinds={user.factors} isRequired={isRequired} />
  }
  return (
    <span className="users-unprotected nowrap">
      <Icon of={IconShieldExclamation} size="tiny" />
      {t('users.protectionOff')}
    </span>
  )
}
