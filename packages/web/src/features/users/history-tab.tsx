import type { UserDetail } from '@gatehouse/contract/users'
import { call } from '../../app/api.ts'
import type { MessageKey } from '../../i18n/areas.ts'
import { type Translate, useT } from '../../i18n/i18n.ts'
import { HistoryList } from '../../ui/history/history-list.tsx'
import { profileLabels } from './edit-frame.tsx'
import { userFields } from './user-values.ts'

const kinds = { user: 'users.eventUser', password: 'users.eventPassword', mail: 'users.eventMail' } as const

const labels: Readonly<Record<string, MessageKey>> = {
  ...profileLabels,
  email: 'users.email',
  aliases: 'users.aliases',
  subscriptions: 'users.subscriptions',
}

/** Who did what to a user. */
export function HistoryTab({ user }: { user: UserDetail }) {
  const t = useT()
  const params = { id: String(user.id) }
  return (
    <HistoryList
      events={(query) => ({
        queryKey: ['GET /api/v4/users/{id}/events', params, query],
        queryFn: ({ signal }) =>
          call('GET /api/v4/users/{id}/events', { params, query, signal, ignoreErrors: true }),
      })}
      kinds={Object.entries(kinds).map(([name, label]) => ({ name, label: t(label) }))}
      fields={userFields}
      fieldLabel={(field) => fieldLabel(t, field)}
      empty={t('users.noHistoryText')}
    />
  )
}

function fieldLabel(t: Translate, field: string): string {
  const label = labels[field]
  return label ? t(label) : field
}
