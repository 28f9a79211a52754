import type { Overview } from '@gatehouse/contract/overview'
import IconFileText from '@tabler/icons-react/dist/esm/icons/IconFileText.mjs'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import IconVideo from '@tabler/icons-react/dist/esm/icons/IconVideo.mjs'
import { useState } from 'react'
import { MailConnectionNote } from '../../domain/mail-connection/mail-not-connected.tsx'
import { RecoveryNote } from '../../domain/recovery/recovery-note.tsx'
import { customerNumber } from '../../i18n/format.ts'
import { useT } from '../../i18n/i18n.ts'
import { call } from '../../platform/api/api.ts'
import { useApi } from '../../platform/api/query.tsx'
import { useRouteTitle } from '../../platform/navigation/route-title.ts'
import { type UserInfo, updateStatus, useUser } from '../../platform/session/auth.ts'
import { ButtonLink } from '../../ui/buttons/button.tsx'
import { LoadFailed } from '../../ui/page/load-failed.tsx'
import { PageHead } from '../../ui/page/page-head.tsx'
import { StatusBox } from '../../ui/status-box/status-box.tsx'
import { Attention } from './attention.tsx'
import { attentionItems } from './attention-items.ts'
import { Board } from './board/board.tsx'
import { FirstSteps } from './first-steps.tsx'
import { greetingAt } from './greeting.ts'
import { RecentActivity } from './recent-activity.tsx'
import { isEmptyAccount } from './steps.ts'
import './dashboard-page.css'

/** Start page after sign-in: what needs attention, all areas the user may open, and recent activity. */
export function DashboardPage() {
  const user = useUser()
  return user ? <Dashboard user={user} /> : null
}

function Dashboard({ user }: { user: UserInfo }) {
  const t = useT()
  const name = user.settings.first_name
  const [hour] = useState(() => new Date().getHours())
  const greeting = t(greetingAt(hour))
  // suspended users may view the account and pay, but have no areas
  const isAsked = user.isSuspended !== true
  const { data, isError, isPending, refetch } = useApi(
    'GET /api/v4/overview',
    {},
    { staleTime: 0, enabled: isAsked },
  )
  const isWaiting = isAsked && isPending
  return (
    <>
      <PageHead
        title={name ? t('dashboard.greeting', { greeting, name }) : greeting}
        documentTitle={t(useRouteTitle())}
        facts={<Facts user={user} />}
        actions={data && <Actions overview={data} />}
      />
      <StatusBox
        key={user.id}
        kind="account"
        process={user.statusInfo}
        load={({ refresh, signal }) =>
          call('GET /api/v4/users/{id}/status', {
            params: { id: String(user.id) },
            query: refresh ? { refresh: '1' } : undefined,
            signal,
            ignoreErrors: !refresh,
          })
        }
        onAnswer={updateStatus}
      />
      <MailConnectionNote />
      <RecoveryNote asks />
      {data && <Attention items={attentionItems(data, t)} />}
      {data && isEmptyAccount(data) && <FirstSteps overview={data} />}
      {isError && !data && (
        <div className="dashboard-failed">
          <LoadFailed onRetry={() => refetch()} reason={t('dashboard.failed')} />
        </div>
      )}
      <Board user={user} facts={{ own: data, isLoading: isWaiting }}>
        {(isWaiting || data) && <RecentActivity entries={data?.activity} ownId={user.id} />}
      </Board>
    </>
  )
}

function Facts({ user }: { user: UserInfo }) {
  const t = useT()
  const customer = t('words.customerNumber', { number: customerNumber(user.id) })
  return [user.settings.organization, customer].filter(Boolean).join(' · ')
}

/** The two most common actions the user may perform; the most common comes last. */
function Actions({ overview: { canCreateUsers, canCreateRooms, canAddFiles } }: { overview: Overview }) {
  const t = useT()
  const all = [
    { may: canCreateUsers, label: t('words.newUser'), to: '/user/new', icon: IconPlus },
    { may: canCreateRooms, label: t('dashboard.newRoom'), to: '/room/new', icon: IconVideo },
    { may: canAddFiles, label: t('dashboard.addFiles'), to: '/files', icon: IconFileText },
  ]
  const [first, second] = all.filter(({ may }) => may)
  return (
    <>
      {second && (
        <ButtonLink to={second.to} icon={second.icon}>
          {second.label}
        </ButtonLink>
      )}
      {first && (
        <ButtonLink to={first.to} icon={first.icon} variant="primary">
          {first.label}
        </ButtonLink>
      )}
    </>
  )
}
