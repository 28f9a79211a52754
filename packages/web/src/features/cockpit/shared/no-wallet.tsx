import { displayAddress } from '@gatehouse/contract/canonical-address'
import { useT } from '../../../i18n/i18n.ts'
import { ButtonLink } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { Panel } from '../../../ui/panel.tsx'

/** In the place of money that is not this user's: it is the owner's of the account. */
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
