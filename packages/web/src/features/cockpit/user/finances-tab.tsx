import type { Mandate } from '@gatehouse/contract/billing/payments'
import { displayAddress } from '@gatehouse/contract/canonical-address'
import type { StaffUserDetail, StaffWallet } from '@gatehouse/contract/staff/staff-views'
import IconAlertTriangle from '@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs'
import IconCircleCheck from '@tabler/icons-react/dist/esm/icons/IconCircleCheck.mjs'
import IconClock from '@tabler/icons-react/dist/esm/icons/IconClock.mjs'
import IconExternalLink from '@tabler/icons-react/dist/esm/icons/IconExternalLink.mjs'
import IconMinus from '@tabler/icons-react/dist/esm/icons/IconMinus.mjs'
import IconPencil from '@tabler/icons-react/dist/esm/icons/IconPencil.mjs'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { centsOf } from '../../../domain/wallet/amounts.ts'
import { Money } from '../../../domain/wallet/money.tsx'
import { TransactionList } from '../../../domain/wallet/transaction-list.tsx'
import { day, price } from '../../../i18n/format.ts'
import { useT } from '../../../i18n/i18n.ts'
import { Link } from '../../../router/link.tsx'
import { Button } from '../../../ui/buttons/button.tsx'
import { Chip } from '../../../ui/facts/status-chip.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { LoadFailed } from '../../../ui/page/load-failed.tsx'
import { Note } from '../../../ui/page/note.tsx'
import { Panel } from '../../../ui/page/panel.tsx'
import { Loading, Skeleton } from '../../../ui/page/skeleton.tsx'
import { staffWalletQuery } from './customer-calls.ts'
import { DiscountDialog } from './discount-dialog.tsx'
import { OneOffDialog } from './one-off-dialog.tsx'

/** The user's wallet: balance, terms and transactions. */
export function FinancesTab({ id, user }: { id: string; user: StaffUserDetail }) {
  const t = useT()
  const { data, isError, refetch } = useQuery(staffWalletQuery(id))
  return (
    <div className="stack">
      {user.owner && user.owner.id !== user.id && (
        <Note title={t('customer.billedTo', { name: displayAddress(user.owner.email) })}>
          <Link to={`/user/${user.owner.id}`}>
            {t('customer.toOwner', { name: displayAddress(user.owner.email) })}
          </Link>
        </Note>
      )}
      {data ? (
        <WalletPanel wallet={data} user={user} />
      ) : (
        <Panel busy={!isError}>
          {isError ? (
            <LoadFailed onRetry={refetch} />
          ) : (
            <Loading>
              <div className="stack">
                <Skeleton width={190} height={32} />
                <Skeleton width="70%" height={13} />
                <Skeleton width="60%" height={13} />
              </div>
            </Loading>
          )}
        </Panel>
      )}
      <TransactionList id={id} />
    </div>
  )
}

function WalletPanel({ wallet, user }: { wallet: StaffWallet; user: StaffUserDetail }) {
  const t = useT()
  const [asked, setAsked] = useState<'discount' | 'bonus' | 'penalty'>()
  const close = () => setAsked(undefined)
  return (
    <Panel
      title={t('words.wallet')}
      actions={
        wallet.canChangeMoney && (
          <div className="row">
            <Button size="small" icon={IconPlus} onPress={() => setAsked('bonus')}>
              {t('customer.addBonus')}
            </Button>
            <Button size="small" icon={IconMinus} onPress={() => setAsked('penalty')}>
              {t('customer.addPenalty')}
            </Button>
          </div>
        )
      }
    >
      <div className="cockpit-money">
        <div>
          <h3>{t('wallet.balance')}</h3>
          <Money cents={wallet.balance} currency={wallet.currency} />
        </div>
        <dl>
          <Line label={t('wallet.lastsUntil')}>
            {wallet.lastsUntil === null
              ? t(wallet.balance < 0 ? 'words.usedUp' : 'wallet.noEnd')
              : day(wallet.lastsUntil, { dateStyle: 'long', timeZone: 'UTC' })}
          </Line>
          <Line label={t('words.discount')}>
            <span className="cockpit-with-button">
              {wallet.discount > 0
                ? t('wallet.discountOf', {
                    percent: wallet.discount,
                    name: wallet.discount_description,
                    named: wallet.discount_description ? 'yes' : 'no',
                  })
                : t('customer.none')}
              {wallet.canChangeMoney && (
                <Button
                  variant="quiet"
                  size="small"
                  icon={IconPencil}
                  label={t('customer.editDiscount')}
                  onPress={() => setAsked('discount')}
                />
              )}
            </span>
          </Line>
          <Line label={t('words.autoPayment')}>
            <AutoPayment mandate={wallet.mandate} />
          </Line>
          {wallet.customer && (
            <Line label={t('customer.provider')}>
              <Provider customer={wallet.customer} name={wallet.provider} />
            </Line>
          )}
        </dl>
      </div>
      {asked === 'discount' && <DiscountDialog wallet={wallet} user={user} onClose={close} />}
      {(asked === 'bonus' || asked === 'penalty') && (
        <OneOffDialog kind={asked} wallet={wallet} user={user} onClose={close} />
      )}
    </Panel>
  )
}

function Line({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  )
}

/** Settings and state of auto-payment; the state is shown in words, not just by colour. */
function AutoPayment({ mandate }: { mandate: Mandate }) {
  const t = useT()
  if (mandate.id === undefined) return t('customer.none')
  const money = (units: number) => price(centsOf(units), mandate.currency)
  return (
    <span className="cockpit-tags">
      <MandateState mandate={mandate} />
      <span>
        {t('customer.autoPaymentLine', {
          amount: money(mandate.amount),
          below: money(mandate.balance),
          method: mandate.method ?? '–',
        })}
      </span>
    </span>
  )
}

function MandateState({ mandate: { isPending, isValid, isDisabled } }: { mandate: Mandate }) {
  const t = useT()
  if (isPending) {
    return (
      <Chip tone="warning" icon={IconClock}>
        {t('customer.mandatePending')}
      </Chip>
    )
  }
  if (!isValid || isDisabled) {
    return (
      <Chip tone="danger" icon={IconAlertTriangle}>
        {t(isDisabled ? 'words.disabled' : 'customer.mandateInvalid')}
      </Chip>
    )
  }
  return (
    <Chip tone="success" icon={IconCircleCheck}>
      {t('customer.mandateValid')}
    </Chip>
  )
}

/** Link to the customer at the payment provider, if it has such a page. */
function Provider({ customer, name }: { customer: { id: string; url: string | null }; name: string }) {
  if (customer.url === null) return <code>{customer.id}</code>
  return (
    <a href={customer.url} target="_blank" rel="noreferrer">
      {name} <code>{customer.id}</code> <Icon of={IconExternalLink} size="tiny" />
    </a>
  )
}
