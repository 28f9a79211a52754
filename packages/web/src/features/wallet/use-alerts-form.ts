import type { WalletSettings } from '@gatehouse/contract/billing/wallets'
import { largest, readAmount, writeAmount } from '../../domain/wallet/amounts.ts'
import { useT } from '../../i18n/i18n.ts'
import { type Form, useForm } from '../../ui/form/use-form.ts'
import { useSaveSettings } from './wallet-calls.ts'

/** Form values of alerts and ceiling; amounts as typed. */
export interface AlertValues {
  alerts: string[]
  monthly_ceiling: string
}

/** Maximum number of thresholds of a wallet; must match the contract. */
const mostAlerts = 5

type Fault = 'amount' | 'large' | 'many'

/** Returns the errors the server would report: by index of the alert, for all alerts, for the ceiling. */
export function alertFaults({ alerts, monthly_ceiling: ceiling }: AlertValues): {
  items: Readonly<Record<number, Fault>>
  alerts?: Fault
  ceiling?: Fault
} {
  const items = Object.fromEntries(
    alerts.flatMap((text, index) => {
      const fault = faultOf(text)
      return fault ? [[index, fault]] : []
    }),
  )
  const ceilingFault = ceiling.trim() === '' ? undefined : faultOf(ceiling)
  return {
    items,
    ...(alerts.length > mostAlerts && { alerts: 'many' }),
    ...(ceilingFault && { ceiling: ceilingFault }),
  }
}

function faultOf(text: string): Fault | undefined {
  const cents = readAmount(text)
  if (cents === undefined) return 'amount'
  return cents > largest ? 'large' : undefined
}

/** Client-side validation error, reported without a request. */
class RefusedHere extends Error {
  readonly errors: Record<string, string | Record<string, string>>
  constructor(errors: Record<string, string | Record<string, string>>) {
    super('invalid input, not sent')
    this.errors = errors
  }
}

export function useAlertsForm(id: string, settings: WalletSettings): Form<AlertValues> {
  const t = useT()
  const save = useSaveSettings(id)
  const words: Record<Fault, string> = {
    amount: t('wallet.faultAmount'),
    large: t('wallet.faultLarge'),
    many: t('wallet.faultMany', { count: mostAlerts }),
  }
  const form: Form<AlertValues> = useForm<AlertValues>({
    initial: alertValues(settings),
    prefix: 'wallet-',
    submit: async (values) => {
      const { items, alerts, ceiling } = alertFaults(values)
      const said = Object.entries(items).map(([index, fault]) => [index, words[fault]])
      const errors = {
        ...(said.length > 0 && { alerts: Object.fromEntries(said) as Record<string, string> }), // as built above
        ...(alerts && { alerts: words[alerts] }),
        ...(ceiling && { monthly_ceiling: words[ceiling] }),
      }
      if (Object.keys(errors).length > 0) throw new RefusedHere(errors)
      const saved = await save({
        alerts: values.alerts.map((text) => readAmount(text) ?? 0),
        monthly_ceiling: readAmount(values.monthly_ceiling) ?? null,
      })
      form.reset(alertValues(saved))
    },
  })
  return form
}

function alertValues({ alerts, monthly_ceiling: ceiling }: WalletSettings): AlertValues {
  return { alerts: alerts.map(writeAmount), monthly_ceiling: ceiling === null ? '' : writeAmount(ceiling) }
}
