import { useState } from 'react'
import { RecoveryNote } from '../../domain/recovery/recovery-note.tsx'
import { customerNumber } from '../../i18n/format.ts'
import { useT } from '../../i18n/i18n.ts'
import { call } from '../../platform/api/api.ts'
import { useRouteTitle } from '../../platform/navigation/route-title.ts'
import { type UserInfo, updateStatus, useUser } from '../../platform/session/auth.ts'
import { PageHead } from '../../ui/page/page-head.tsx'
import { StatusBox } from '../../ui/status-box/status-box.tsx'
import { Board } from './board.tsx'
import { greetingAt } from './greeting.ts'

/** Where a signed-in person begins: what is being set up, and everything that they may open. */
export function DashboardPage() {
  const user = useUser()
  return user ? <Dashboard user={user} /> : null
}

function Dashboard({ user }: { user: UserInfo }) {
  const t = useT()
  const name = user.settings.first_name
  const [hour] = useState(() => new Date().getHours())
  const greeting = t(greetingAt(hour))
  return (
    <>
      <PageHead
        title={name ? t('dashboard.greeting', { greeting, name }) : greeting}
        documentTitle={t(useRouteTitle())}
        facts={<Facts user={user} />}
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
      <RecoveryNote asks />
      <Board user={user} />
    </>
  )
}

function Facts({ user }: { user: UserInfo }) {
  const t = useT()
  const customer = t('words.customerNumber', { number: customerNumber(user.id) })
  return [user.settings.organization, customer].filter(Boolean).join(' · ')
}
