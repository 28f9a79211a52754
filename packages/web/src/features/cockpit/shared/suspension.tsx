import type { StoredReason, SuspensionReason, suspensionReasons } from '@gatehouse/contract/staff/staff-views'
import IconCircleCheck from '@tabler/icons-react/dist/esm/icons/IconCircleCheck.mjs'
import IconPlayerPause from '@tabler/icons-react/dist/esm/icons/IconPlayerPause.mjs'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { MessageKey } from '../../../i18n/areas.ts'
import { useT } from '../../../i18n/i18n.ts'
import { call } from '../../../platform/api/api.ts'
import { everything, useActWith } from '../../../platform/api/use-act.ts'
import { Button } from '../../../ui/buttons/button.tsx'
import { Select } from '../../../ui/fields/select.tsx'
import { offerUndo } from '../../../ui/toasts/offer-undo.ts'
import { CommentDialog } from './comment-dialog.tsx'

// The contract's own array would bring its validator into the browser.
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

/** Kinds of objects that can be suspended, as their calls name them. */
type Suspendable = 'users' | 'domains' | 'groups'

export interface SuspensionProps {
  kind: Suspendable
  id: number
  /** Address or name, for the question. */
  name: string
  rights: { canSuspend: boolean; canUnsuspend: boolean }
}

/** Suspends an object or gives it back, with the reason and a comment for the record. */
export function Suspension({ kind, id, name, rights }: SuspensionProps) {
  const t = useT()
  const [asked, setAsked] = useState<'suspend' | 'unsuspend'>()
  const close = () => setAsked(undefined)
  const possible = rights.canSuspend ? 'suspend' : rights.canUnsuspend ? 'unsuspend' : undefined
  return (
    <>
      {/* one button: what was pressed keeps the focus when the other act takes its place */}
      {possible && (
        <Button
          icon={possible === 'suspend' ? IconPlayerPause : IconCircleCheck}
          onPress={() => setAsked(possible)}
        >
          {t(possible === 'suspend' ? 'customer.suspend' : 'customer.unsuspend')}
        </Button>
      )}
      {asked === 'suspend' && <SuspendDialog kind={kind} id={id} name={name} onClose={close} />}
      {asked === 'unsuspend' && <UnsuspendDialog kind={kind} id={id} name={name} onClose={close} />}
    </>
  )
}

interface DialogProps {
  kind: Suspendable
  id: number
  name: string
  onClose: () => void
}

const effects: Record<Suspendable, readonly MessageKey[]> = {
  users: ['customer.suspendUserLogin', 'customer.suspendUserMail', 'customer.suspendUserOnly'],
  domains: ['customer.suspendDomainMail', 'customer.suspendCosts'],
  groups: ['customer.suspendListMail', 'customer.suspendCosts'],
}

function SuspendDialog({ kind, id, name, onClose }: DialogProps) {
  const t = useT()
  const client = useQueryClient()
  const unsuspend = useUnsuspend(kind, id)
  const [reason, setReason] = useState<SuspensionReason>()
  const suspend = async (comment: string | null) => {
    if (!reason) return
    const given = { params: { id: String(id) }, body: { reason, comment } }
    const { message } = await call(`POST /api/v4/${kind}/{id}/suspend`, given)
    // Its failure has been shown in a toast.
    offerUndo(message, t('words.undo'), () => unsuspend(null).catch(() => undefined))
    await client.invalidateQueries()
  }
  return (
    <CommentDialog
      title={t('customer.suspendTitle', { name })}
      effects={effects[kind].map((key) => t(key))}
      verb={t('customer.suspendNow')}
      icon={IconPlayerPause}
      isDanger
      missing={reason === undefined ? t('customer.reasonMissing') : undefined}
      onClose={onClose}
      send={suspend}
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

function useUnsuspend(kind: Suspendable, id: number): (comment: string | null) => Promise<unknown> {
  const act = useActWith(everything)
  const params = { id: String(id) }
  return (comment) => act(() => call(`POST /api/v4/${kind}/{id}/unsuspend`, { params, body: { comment } }))
}

function UnsuspendDialog({ kind, id, name, onClose }: DialogProps) {
  const t = useT()
  const unsuspend = useUnsuspend(kind, id)
  return (
    <CommentDialog
      title={t('customer.unsuspendTitle', { name })}
      effects={[t('customer.unsuspendEffect')]}
      verb={t('customer.unsuspendNow')}
      onClose={onClose}
      send={unsuspend}
    />
  )
}
