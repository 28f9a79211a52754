import { displayAddress } from '@gatehouse/contract/canonical-address'
import type { StaffUserDetail } from '@gatehouse/contract/staff/staff-views'
import IconShieldOff from '@tabler/icons-react/dist/esm/icons/IconShieldOff.mjs'
import { useState } from 'react'
import { useT } from '../../../i18n/i18n.ts'
import { everything, useAct } from '../../../platform/api/use-act.ts'
import { Button } from '../../../ui/buttons/button.tsx'
import { CommentDialog } from '../shared/comment-dialog.tsx'
import { ObjectSubscriptionsTab } from '../shared/subscriptions.tsx'

/** Subscriptions of a user, and the second factor, which comes with one. */
export function SubscriptionsTab({ user }: { user: StaffUserDetail }) {
  return (
    <div className="stack">
      <ObjectSubscriptionsTab type="user" id={user.id} name={displayAddress(user.email)} />
      {user.staffRights.canResetSecondFactor && <FactorReset user={user} />}
    </div>
  )
}

function FactorReset({ user }: { user: StaffUserDetail }) {
  const t = useT()
  const act = useAct('POST /api/v4/users/{id}/reset-2fa', everything)
  const [isAsked, setAsked] = useState(false)
  const params = { id: String(user.id) }
  return (
    <div className="row wrap">
      <Button variant="danger-outline" icon={IconShieldOff} onPress={() => setAsked(true)}>
        {t('customer.resetFactor')}
      </Button>
      {isAsked && (
        <CommentDialog
          title={t('customer.factorTitle', { name: displayAddress(user.email) })}
          effects={[t('customer.factorEffect'), t('customer.factorProof')]}
          verb={t('customer.factorNow')}
          icon={IconShieldOff}
          isDanger
          onClose={() => setAsked(false)}
          send={(comment) => act({ params, body: { comment } })}
        />
      )}
    </div>
  )
}
