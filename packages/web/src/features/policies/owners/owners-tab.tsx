import { useUser } from '../../../platform/session/auth.ts'
import { OwnersPanel } from './owners-panel.tsx'

/** Who owns the account of the reader, and other accounts that they look after. */
export function OwnersTab() {
  const user = useUser()
  if (!user) return null
  const others = user.accounts.filter(({ id }) => id !== user.wallet.id)
  return (
    <div className="stack">
      {[user.wallet, ...others].map(({ id }) => (
        <OwnersPanel key={id} id={id} />
      ))}
    </div>
  )
}
