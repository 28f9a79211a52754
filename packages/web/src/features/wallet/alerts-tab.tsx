import type { WalletSettings } from '@gatehouse/contract/billing/wallets'
import IconAlertTriangle from '@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs'
import IconCircleCheck from '@tabler/icons-react/dist/esm/icons/IconCircleCheck.mjs'
import { useQuery } from '@tanstack/react-query'
import { day, price, toDate } from '../../i18n/format.ts'
import { useT } from '../../i18n/i18n.ts'
import { Facts } from '../../ui/facts/facts.tsx'
import { Chip } from '../../ui/facts/status-chip.tsx'
import { ListInput } from '../../ui/fields/list-input.tsx'
import { TextField } from '../../ui/fields/text-field.tsx'
import { FormSection } from '../../ui/form/form-section.tsx'
import { FormSkeleton } from '../../ui/form/form-skeleton.tsx'
import { SavePanel, usePanelForm } from '../../ui/form/save-panel.tsx'
import { SaveScope } from '../../ui/form/save-scope.tsx'
import { UnsavedGuard } from '../../ui/form/unsaved-guard.tsx'
import { LoadFailed } from '../../ui/page/load-failed.tsx'
import { useAlertsForm } from './use-alerts-form.ts'
import { settingsQuery, walletQuery } from './wallet-calls.ts'

/** Low balance alerts, and the monthly spending ceiling. */
export function AlertsTab({ id }: { id: string }) {
  const settings = useQuery(settingsQuery(id))
  const wallet = useQuery(walletQuery(id))
  if (settings.isError) return <LoadFailed onRetry={settings.refetch} />
  if (!settings.data) return <FormSkeleton />
  return (
    <SaveScope>
      <AlertsForm id={id} settings={settings.data} currency={wallet.data?.currency ?? ''} />
    </SaveScope>
  )
}

interface AlertsFormProps {
  id: string
  settings: WalletSettings
  currency: string
}

function AlertsForm({ id, settings, currency }: AlertsFormProps) {
  const t = useT()
  const form = useAlertsForm(id, settings)
  usePanelForm(form, t('wallet.alertsTitle'))
  return (
    <>
      <SavePanel form={form} title={t('wallet.alertsTitle')} note={t('wallet.alertsNote')}>
        <FormSection title={t('wallet.alertsShort')} hint={t('wallet.alertsHint')}>
          <ListInput
            {...form.list('alerts')}
            label={t('wallet.alertsLabel', { currency })}
            hint={t('wallet.alertsExample')}
            placeholder="20.00"
          />
          <AlertStates states={settings.alertStates} currency={currency} />
        </FormSection>
        <FormSection title={t('words.monthlyCeiling')} hint={t('wallet.ceilingHint')}>
          <TextField
            {...form.field('monthly_ceiling')}
            label={t('wallet.ceilingLabel', { currency })}
            hint={t('wallet.ceilingEmpty')}
            inputMode="decimal"
            optional
          />
        </FormSection>
      </SavePanel>
      <UnsavedGuard form={form} />
    </>
  )
}

/** State of the alerts: which have ended because the balance has recovered, and which are still active. */
function AlertStates({ states, currency }: { states: WalletSettings['alertStates']; currency: string }) {
  const t = useT()
  if (states.length === 0) return null
  return (
    <Facts
      facts={states.map(({ threshold, alertedAt, resolvedAt }) => ({
        label: t('wallet.alertTold', { amount: price(threshold, currency), date: day(toDate(alertedAt)) }),
        value:
          resolvedAt === null ? (
            <Chip tone="warning" icon={IconAlertTriangle}>
              {t('wallet.alertOpen')}
            </Chip>
          ) : (
            <Chip tone="success" icon={IconCircleCheck}>
              {t('wallet.alertResolved', { date: day(toDate(resolvedAt)) })}
            </Chip>
          ),
      }))}
    />
  )
}
