import type { StoredReason, SuspensionReason, suspensionReasons } from '@gatehouse/contract/staff/staff-views'
import IconCircleCheck from '@tabler/icons-react/dist/esm/icons/IconCircleCheck.mjs'
import IconPlayerPause from '@tabler/icons-react/dist/esm/icons/IconPlayerPause.mjs'
import { useState } from 'react'
import type { MessageKey } from '../../../i18n/areas.ts'
import { useT } from '../../../i18n/i18n.ts'
import { call } from '../../../platform/api/api.ts'
import { everything, useActWith } from '../../../platform/api/use-act.ts'
import { Button } from '../../../ui/buttons/button.tsx'
import { Select } from '../../../ui/fields/select.tsx'
import { CommentDialog } from './comment-dialog.tsx'

// Importing the contract's array would pull its validator into the bundle.
const reasons = [
  'abuse',
  'unpaid',
  'security',
  'legal',
  'request',
  'other',
] as const satisfies typeof suspensionReasons

export const reasonLabels: Record<StoredReason, MessageKey> = {
  account: 'customer.reasonAccount',
  abuse: 'customer.reasonAbuse',
  unpaid: 'customer.reasonUnpaid',
  security: 'customer.reasonSecurity',
  legal: 'customer.reasonLegal',
  request: 'customer.reasonRequest',
  other: 'customer.reasonOther',
}

/** Kinds of objects that can be suspended, by API path. */
type Suspendable = 'users' | 'domains' | 'groups'

export interface SuspensionProps {
  kind: Suspendable
  id: number
  /** Address or name, for the question. */
  name: string
  rights: { canSuspend: boolean; canUnsuspend: boolean }
  /** Of the suspension that there is; null: none. */
  reason: StoredReason | null
}

/** Suspends or unsuspends an object, with a reason and a comment for the activity. */
export function Suspension({ rights, ...object }: SuspensionProps) {
  const t = useT()
  const [asked, setAsked] = useState<'suspend' | 'unsuspend'>()
  const close = () => setAsked(undefined)
  const possible = rights.canSuspend ? 'suspend' : rights.canUnsuspend ? 'unsuspend' : undefined
  return (
    <>
      {/* one button keeps the focus when the other act takes its place */}
      {possible && (
        <Button
          icon={possible === 'suspend' ? IconPlayerPause : IconCircleCheck}
          onPress={() => setAsked(possible)}
        >
          {t(possible === 'suspend' ? 'customer.suspend' : 'customer.unsuspend')}
        </Button>
      )}
      {asked === 'suspend' && <SuspendDialog {...object} onClose={close} />}
      {asked === 'unsuspend' && <UnsuspendDialog {...object} onClose={close} />}
    </>
  )
}

interface DialogProps extends Omit<SuspensionProps, 'rights'> {
  onClose: () => void
}

function suspend({ kind, id }: DialogProps, body: { reason: SuspensionReason; comment: string | null }) {
  return call(`POST /api/v4/${kind}/{id}/suspend`, { params: { id: String(id) }, body })
}

function unsuspend({ kind, id }: DialogProps, comment: string | null) {
  return call(`POST /api/v4/${kind}/{id}/unsuspend`, { params: { id: String(id) }, body: { comment } })
}

const effects: Record<Suspendable, readonly MessageKey[]> = {
  users: ['customer.suspendUserLogin', 'customer.suspendUserMail', 'customer.suspendUserOnly'],
  domains: ['customer.suspendDomainMail', 'customer.suspendCosts'],
  groups: ['customer.suspendListMail', 'customer.suspendCosts'],
}

function SuspendDialog(props: DialogProps) {
  const { kind, name, reason: before, onClose } = props
  const t = useT()
  const act = useActWith(everything)
  const [reason, setReason] = useState<SuspensionReason>()
  return (
    <CommentDialog
      title={t('customer.suspendTitle', { name })}
      effects={effects[kind].map((key) => t(key))}
      verb={t('customer.suspendNow')}
      icon={IconPlayerPause}
      isDanger
      missing={reason === undefined ? t('customer.reasonMissing') : undefined}
      onClose={onClose}
      send={async (comment) =>
        reason &&
        act(() => suspend(props, { reason, comment }), {
          // a suspension by the account would be lifted too
          undo: before === null ? () => unsuspend(props, null) : undefined,
        })
      }
    >
      <Select
        id="act-reason"
        name="reason"
        label={t('words.reason')}
        required
        hint={reason === 'unpaid' ? t('customer.reasonUnpaidHint') : undefined}
        value={reason ?? ''}
        onValue={(value) => setReason(reasons.find((one) => one === value))}
        options={[
          { value: '', label: t('customer.chooseReason') },
          ...reasons.map((one) => ({ value: one, label: t(reasonLabels[one]) })),
        ]}
      />
    </CommentDialog>
  )
}

function UnsuspendDialog(props: DialogProps) {
  const { name, reason, onClose } = props
  const t = useT()
  const act = useActWith(everything)
  return (
    <CommentDialog
      title={t('customer.unsuspendTitle', { name })}
      effects={[t('customer.unsuspendEffect')]}
      verb={t('customer.unsuspendNow')}
      onClose={onClose}
      send={(comment) =>
        act(() => unsuspend(props, comment), {
          // that of the account is the account's to bring back
          undo:
            reason === null || reason === 'account'
              ? undefined
              : () => suspend(props, { reason, comment: null }),
        })
      }
    />
  )
}
