import IconAlertTriangle from '@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs'
import { number } from '../../i18n/format.ts'
import { useT } from '../../i18n/i18n.ts'
import { useApi } from '../../platform/api/query.tsx'
import { Icon } from '../../ui/icon.tsx'

/** How many large bookings wait for a word of the reader. */
export function ApprovalsFact() {
  const t = useT()
  const query = { page: 1, size: 100, state: 'pending' } as const
  const { data } = useApi('GET /api/v4/one-offs', { query }, { staleTime: 0 })
  const waiting = data?.list.filter(({ canApprove }) => canApprove).length ?? 0
  if (waiting === 0) return <p>{t('dashboard.approvalsText')}</p>
  return (
    <p className="tile-alarm">
      <Icon of={IconAlertTriangle} size="small" />
      {t('dashboard.approvalsWaiting', { count: waiting, number: number(waiting) })}
    </p>
  )
}
