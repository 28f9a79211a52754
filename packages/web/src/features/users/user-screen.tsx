import { displayAddress } from '@gatehouse/contract/canonical-address'
import type { UserDetail } from '@gatehouse/contract/directory/users'
import IconLogout from '@tabler/icons-react/dist/esm/icons/IconLogout.mjs'
import IconMail from '@tabler/icons-react/dist/esm/icons/IconMail.mjs'
import IconPackageExport from '@tabler/icons-react/dist/esm/icons/IconPackageExport.mjs'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { DeletedAddressDialog } from '../../domain/deleted-address/deleted-address-dialog.tsx'
import { MailConnectionNote } from '../../domain/mail-connection/mail-not-connected.tsx'
import { useRecentObject } from '../../domain/search/use-recent-object.ts'
import { customerNumber } from '../../i18n/format.ts'
import { useT } from '../../i18n/i18n.ts'
import { call } from '../../platform/api/api.ts'
import { hasPermission, updateStatus } from '../../platform/session/auth.ts'
import { useLocation, useNavigate } from '../../router/router-context.tsx'
import { ActionMenu } from '../../ui/buttons/action-menu.tsx'
import { Button, ButtonLink } from '../../ui/buttons/button.tsx'
import { StatusChip } from '../../ui/facts/status-chip.tsx'
import { UnsavedGuard } from '../../ui/form/unsaved-guard.tsx'
import { PageHead } from '../../ui/page/page-head.tsx'
import { type Tab, Tabs } from '../../ui/page/tabs.tsx'
import { StatusBox } from '../../ui/status-box/status-box.tsx'
import { DeleteDialog } from './delete-dialog.tsx'
import { DelegationTab, showsDelegation } from './form/delegation-tab.tsx'
import { useUserBar } from './form/edit-frame.tsx'
import { GeneralTab } from './form/general-tab.tsx'
import { PersonalTab } from './form/personal-tab.tsx'
import { SettingsTab } from './form/settings-tab.tsx'
import { useUserForm } from './form/use-user-form.ts'
import { HistoryTab } from './history-tab.tsx'
import { SignOutDialog } from './sign-out-dialog.tsx'
import { userQuery, withStatus } from './user-calls.ts'
import { WebmailButton } from './webmail-button.tsx'
import './users.css'

export interface UserScreenProps {
  user: UserDetail
  isSelf: boolean
  /** Shown instead of the user's name. */
  title?: string
}

/** A user with everything the reader may see and do. */
export function UserScreen({ user, isSelf, title }: UserScreenProps) {
  const t = useT()
  const path = useLocation().pathname
  const form = useUserForm(user, { isSelf })
  useUserBar(user, form)
  const name = fullName(user)
  useRecentObject('user', { id: user.id, title: name || user.email, detail: name ? user.email : null })

  const tabs: (Tab | false)[] = [
    {
      name: 'general',
      label: t('words.general'),
      content: () => <GeneralTab user={user} isSelf={isSelf} edit={form} />,
    },
    user.canConfigure && {
      name: 'settings',
      label: t('users.settings'),
      content: () => <SettingsTab user={user} />,
    },
    showsDelegation(user) && {
      name: 'delegation',
      label: t('users.delegation'),
      content: () => <DelegationTab user={user} />,
    },
    {
      name: 'personal',
      label: t('users.personal'),
      content: () => <PersonalTab user={user} edit={form} />,
    },
    user.canReadEvents && {
      name: 'history',
      label: t('words.history'),
      content: () => <HistoryTab user={user} />,
    },
  ]

  return (
    <>
      <UnsavedGuard form={form.form} within={path} />
      <PageHead
        title={title ?? (name || displayAddress(user.email))}
        status={<StatusChip of={user} />}
        facts={facts(user, title ? [name] : [])
          .concat(t('words.customerNumber', { number: customerNumber(user.id) }))
          .join(' · ')}
        trail={title ? undefined : [{ label: t('words.users'), to: '/users' }]}
        actions={
          <>
            {isSelf && (
              <ButtonLink to="/export" icon={IconPackageExport}>
                {t('words.exportData')}
              </ButtonLink>
            )}
            {(isSelf || user.canConfigure) && <MailMenu user={user} isSelf={isSelf} />}
            {user.canSignOut && !isSelf && <SignOutButton user={user} />}
            {user.canDelete && !isSelf && hasPermission('loginAs') && <WebmailButton user={user} />}
            {user.canDelete && <DeleteButton user={user} isSelf={isSelf} />}
          </>
        }
      />
      <Setup user={user} isSelf={isSelf} />
      <MailConnectionNote />
      <DeletedAddressDialog offer={form.offer} adding onReleased={() => form.form.submit()} />
      <Tabs label={t('users.parts')} tabs={tabs.filter((tab) => tab !== false)} outside />
    </>
  )
}

/** The pages about the user's mailbox. */
function MailMenu({ user, isSelf }: { user: UserDetail; isSelf: boolean }) {
  const t = useT()
  const navigate = useNavigate()
  const open = (page: string) => () => navigate({ to: isSelf ? page : `${page}/${user.id}` })
  return (
    <ActionMenu
      label={t('words.mail')}
      icon={IconMail}
      actions={[
        { label: t('words.filtersAndReply'), onPress: open('/mail-filters') },
        { label: t('words.deletedMail'), onPress: open('/deleted-mail') },
        { label: t('words.importMail'), onPress: open('/mail-import') },
      ]}
    />
  )
}

function facts(user: UserDetail, more: string[]): string[] {
  const name = fullName(user)
  return [...more, ...(name || more.length > 0 ? [displayAddress(user.email)] : [])].filter(Boolean)
}

function fullName({ settings }: UserDetail): string {
  return [settings.first_name, settings.last_name].filter(Boolean).join(' ')
}

function Setup({ user, isSelf }: { user: UserDetail; isSelf: boolean }) {
  const client = useQueryClient()
  return (
    <StatusBox
      key={user.id}
      kind={isSelf ? 'account' : 'user'}
      process={user.statusInfo}
      load={({ refresh, signal }) =>
        call('GET /api/v4/users/{id}/status', {
          params: { id: String(user.id) },
          query: refresh ? { refresh: '1' } : undefined,
          signal,
          ignoreErrors: !refresh,
        })
      }
      onAnswer={(answer) => {
        client.setQueryData<UserDetail>(userQuery(user.id).queryKey, (old) => old && withStatus(old, answer))
        if (isSelf) updateStatus(answer)
      }}
    />
  )
}

function SignOutButton({ user }: { user: UserDetail }) {
  const t = useT()
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button icon={IconLogout} onPress={() => setOpen(true)}>
        {t('words.logOutEverywhere')}
      </Button>
      {open && <SignOutDialog user={user} onClose={() => setOpen(false)} />}
    </>
  )
}

function DeleteButton({ user, isSelf }: { user: UserDetail; isSelf: boolean }) {
  const t = useT()
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button variant="danger-outline" icon={IconTrash} onPress={() => setOpen(true)}>
        {t(isSelf ? 'users.deleteAccount' : 'users.delete')}
      </Button>
      {open && <DeleteDialog user={user} isSelf={isSelf} onClose={() => setOpen(false)} />}
    </>
  )
}
