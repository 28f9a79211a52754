import { useT } from '../../i18n/i18n.ts'
import { Tabs } from '../../ui/page/tabs.tsx'
import { AlertsTab } from './alerts-tab.tsx'
import { PendingTab } from './payments/pending-tab.tsx'
import { ReferralTab } from './referral-tab.tsx'
import { VerifyTab } from './verify/verify-tab.tsx'

interface MoreTabProps {
  id: string
  /** Number of pending payments. */
  pending: number
  /** There are more than were counted. */
  hasMore: boolean
}

/** Settings and information rarely needed by an owner. */
export function MoreTab({ id, pending, hasMore }: MoreTabProps) {
  const t = useT()
  return (
    <Tabs
      outside
      param="part"
      label={t('wallet.more')}
      keep={['wallet', 'tab']}
      tabs={[
        { name: 'alerts', label: t('wallet.alerts'), content: () => <AlertsTab id={id} /> },
        { name: 'referral', label: t('words.referralProgrammes'), content: () => <ReferralTab id={id} /> },
        { name: 'verify', label: t('wallet.verify'), content: () => <VerifyTab id={id} /> },
        // it comes and goes, so it must not shift other tabs
        ...(pending > 0
          ? [
              {
                name: 'pending',
                label: t('payment.pending'),
                ...(!hasMore && { count: pending }),
                content: () => <PendingTab />,
              },
            ]
          : []),
      ]}
    />
  )
}
