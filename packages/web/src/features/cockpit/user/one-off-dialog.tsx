import { displayAddress } from '@gatehouse/contract/canonical-address'
import type { StaffUserDetail, StaffWallet } from '@gatehouse/contract/staff/staff-views'
import IconMinus from '@tabler/icons-react/dist/esm/icons/IconMinus.mjs'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import { QuoteFailed } from '../../../domain/quotes/quote-failed.tsx'
import { type Quote, useQuote } from '../../../domain/quotes/use-quote.ts'
import { largest, readAmount, wireAmount } from '../../../domain/wallet/amounts.ts'
import { balance, price } from '../../../i18n/format.ts'
import { useT } from '../../../i18n/i18n.ts'
import { type Answer, call } from '../../../platform/api/api.ts'
import { everything, useAct } from '../../../platform/api/use-act.ts'
import { FormDialog } from '../../../ui/dialog/form-dialog.tsx'
import { TextArea } from '../../../ui/fields/text-area.tsx'
import { TextField } from '../../../ui/fields/text-field.tsx'
import { useForm } from '../../../ui/form/use-form.ts'
import { Note } from '../../../ui/page/note.tsx'
import { Loading, Skeleton } from '../../../ui/page/skeleton.tsx'
import '../../../domain/quotes/quotes.css'

export interface OneOffDialogProps {
  kind: 'bonus' | 'penalty'
  wallet: StaffWallet
  user: StaffUserDetail
  onClose: () => void
}

/** Credits or debits a wallet and previews the new balance. */
export function OneOffDialog({ kind, wallet, user, onClose }: OneOffDialogProps) {
  const t = useT()
  const act = useAct('POST /api/v4/wallets/{id}/one-off', everything)
  const { currency, oneOffLimit } = wallet
  const form = useForm({
    initial: { amount: '', description: '' },
    prefix: 'oneoff-',
    submit: async ({ amount, description }) => {
      const cents = readAmount(amount)
      if (!cents || cents > largest) {
        form.setErrors({ amount: t(cents ? 'wallet.faultLarge' : 'wallet.faultAmount') })
        return
      }
      const body = { amount: signed(kind, amount), description: description.trim() }
      await act({ params: { id: wallet.id }, body })
      onClose()
    },
  })
  const cents = readAmount(form.values.amount) ?? 0
  const isNothing = form.values.amount.trim() !== '' && readAmount(form.values.amount) === 0
  const wanted = cents > 0 && cents <= largest ? signed(kind, form.values.amount) : undefined
  const preview = useOneOffPreview(wallet, wanted)
  const needsApproval = wanted !== undefined && preview.answer?.needsApproval === true
  return (
    <FormDialog
      title={t(kind === 'bonus' ? 'customer.bonusTitle' : 'customer.penaltyTitle', {
        name: displayAddress(user.email),
      })}
      form={form}
      onClose={onClose}
      preset={kind === 'bonus' ? 'submit' : 'delete'}
      submitLabel={
        needsApproval
          ? t('customer.askApproval')
          : t(kind === 'bonus' ? 'customer.bonusNow' : 'customer.penaltyNow')
      }
      icon={kind === 'bonus' ? IconPlus : IconMinus}
      busyLabel={t('cockpit.working')}
    >
      <TextField
        {...form.field('amount')}
        label={t('words.amountIn', { currency })}
        hint={
          oneOffLimit === null
            ? undefined
            : t('customer.amountLimit', { amount: price(oneOffLimit, currency) })
        }
        inputMode="decimal"
        autoComplete="off"
        placeholder="10.00"
        required
      />
      <TextArea
        {...form.field('description')}
        label={t('words.description')}
        hint={t('customer.descriptionHint')}
        required
        rows={3}
        maxLength={1024}
      />
      {needsApproval && <Note tone="warning">{t('customer.needsApproval')}</Note>}
      {wanted !== undefined && <BalanceAfter preview={preview} />}
      {isNothing && <Note live>{t('customer.balanceSame', { now: balance(wallet.balance, currency) })}</Note>}
    </FormDialog>
  )
}

type OneOffPreview = Answer<'POST /api/v4/wallets/{id}/one-off/preview'>

/** The amount in the API's format: penalties are negative. */
function signed(kind: OneOffDialogProps['kind'], amount: string): string {
  return `${kind === 'bonus' ? '' : '-'}${wireAmount(amount) ?? ''}`
}

/** Preview of an amount from the server; undefined: no amount yet. */
function useOneOffPreview({ id, balance }: StaffWallet, amount: string | undefined): Quote<OneOffPreview> {
  return useQuote({
    name: 'one-off preview',
    about: amount && JSON.stringify([id, amount, balance]),
    ask: (signal) =>
      call('POST /api/v4/wallets/{id}/one-off/preview', {
        params: { id },
        body: { amount: amount ?? '' },
        signal,
        ignoreErrors: true,
      }),
  })
}

/** The resulting balance. */
function BalanceAfter({ preview: { answer, pending, failed, retry } }: { preview: Quote<OneOffPreview> }) {
  const t = useT()
  if (!answer && failed) return <QuoteFailed text={t('customer.noBalance')} onRetry={retry} />
  if (!answer)
    return (
      <Loading>
        <Skeleton width="70%" height={40} />
      </Loading>
    )
  const { now, next } = answer.balance
  return (
    <div className="quote" data-pending={pending || undefined}>
      <Note tone={next < 0 ? 'danger' : 'info'} live>
        {t(now === next ? 'customer.balanceSame' : 'customer.balanceAfter', {
          now: balance(now, answer.currency),
          next: balance(next, answer.currency),
        })}{' '}
        {next < 0 && now >= 0 && t('customer.balanceBelow')}
      </Note>
    </div>
  )
}
