import { displayAddress } from '@gatehouse/contract/canonical-address'
import { useT } from '../../../i18n/i18n.ts'
import { ButtonLink } from '../../../ui/buttons/button.tsx'
import { EmptyState } from '../../../ui/page/empty-state.tsx'
import { Panel } from '../../../ui/page/panel.tsx'

/** Shown instead of finances for members, whose money is the account owner's. */
export function NoWallet({ owner }: { owner: { id: number; email: string } | null }) {
  const t = useT()
  return (
    <Panel flush>
      <EmptyState
        title={t('customer.noWallet')}
        action={
          owner && (
            <ButtonLink to={`/user/${owner.id}`}>
              {t('customer.toOwner', { name: displayAddress(owner.email) })}
            </ButtonLink>
          )
        }
      >
        {t('customer.noWalletText')}
      </EmptyState>
    </Panel>
  )
}
