import { useUser } from '../../../platform/session/auth.ts'
import { OwnersPanel } from './owners-panel.tsx'

/** Owners of the reader's account, and other accounts the reader manages. */
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
