import { displayAddress } from '@gatehouse/contract/canonical-address'
import type { StaffUserDetail, StaffWallet } from '@gatehouse/contract/staff'
import IconMinus from '@tabler/icons-react/dist/esm/icons/IconMinus.mjs'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import { call } from '../../../app/api.ts'
import { balance, price } from '../../../i18n/format.ts'
import { useT } from '../../../i18n/i18n.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { useForm } from '../../../ui/form/use-form.ts'
import { Note } from '../../../ui/note.tsx'
import { TextArea } from '../../../ui/text-area.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { largest, readAmount } from '../../../ui/wallet/amounts.ts'
import { useAct } from '../shared/acts.ts'

export interface OneOffDialogProps {
  kind: 'bonus' | 'penalty'
  wallet: StaffWallet
  user: StaffUserDetail
  onClose: () => void
}

/** Awards money to a wallet or takes it, and says before what the balance will be. */
export function OneOffDialog({ kind, wallet, user, onClose }: OneOffDialogProps) {
  const t = useT()
  const act = useAct()
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
      const sign = kind === 'bonus' ? 1 : -1
      const body = { amount: (sign * cents) / 100, description: description.trim() }
      await act(() => call('POST /api/v4/wallets/{id}/one-off', { params: { id: wallet.id }, body }))
      onClose()
    },
  })
  const cents = readAmount(form.values.amount) ?? 0
  const needsApproval = oneOffLimit !== null && cents > oneOffLimit
  const after = wallet.balance + (kind === 'bonus' ? cents : -cents)
  return (
    <Dialog
      open
      title={t(kind === 'bonus' ? 'customer.bonusTitle' : 'customer.penaltyTitle', {
        name: displayAddress(user.email),
      })}
      onClose={onClose}
      actions={[
        {
          preset: kind === 'bonus' ? 'submit' : 'delete',
          label: needsApproval
            ? t('customer.askApproval')
            : t(kind === 'bonus' ? 'customer.bonusNow' : 'customer.penaltyNow'),
          icon: kind === 'bonus' ? IconPlus : IconMinus,
          busyLabel: t('cockpit.working'),
          busy: form.busy,
          onPress: () => form.submit(),
          dismiss: false,
        },
      ]}
    >
      <form {...form.props} className="stack">
        <TextField
          {...form.field('amount')}
          label={t('customer.amount', { currency })}
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
          label={t('customer.description')}
          hint={t('customer.descriptionHint')}
          required
          rows={3}
          maxLength={1024}
        />
        {needsApproval && <Note tone="warning">{t('customer.needsApproval')}</Note>}
        <Note tone={after < 0 ? 'danger' : 'info'} live>
          {t('customer.balanceAfter', {
            now: balance(wallet.balance, currency),
            next: balance(after, currency),
          })}{' '}
          {after < 0 && wallet.balance >= 0 && t('customer.balanceBelow')}
        </Note>
      </form>
    </Dialog>
  )
}
