import type { OneOffRequest } from '@gatehouse/contract/billing/one-offs'
import { displayAddress } from '@gatehouse/contract/canonical-address'
import IconArrowBackUp from '@tabler/icons-react/dist/esm/icons/IconArrowBackUp.mjs'
import IconCheck from '@tabler/icons-react/dist/esm/icons/IconCheck.mjs'
import IconX from '@tabler/icons-react/dist/esm/icons/IconX.mjs'
import { useState } from 'react'
import { price } from '../../../i18n/format.ts'
import { useT } from '../../../i18n/i18n.ts'
import { everything, useAct } from '../../../platform/api/use-act.ts'
import { Button } from '../../../ui/buttons/button.tsx'
import { FormDialog } from '../../../ui/dialog/form-dialog.tsx'
import { TextArea } from '../../../ui/fields/text-area.tsx'
import { useForm } from '../../../ui/form/use-form.ts'
import { CommentDialog } from '../shared/comment-dialog.tsx'

type Asked = 'approve' | 'refuse' | undefined

/** Approves or rejects a colleague's request, or withdraws one's own. */
export function ApprovalActions({ request }: { request: OneOffRequest }) {
  const t = useT()
  const act = useAct('POST /api/v4/one-offs/{id}/approve', everything)
  const [asked, setAsked] = useState<Asked>()
  const close = () => setAsked(undefined)
  const { id, user, canApprove, canRefuse } = request
  const facts = {
    amount: price(Math.abs(request.amount), request.currency),
    name: displayAddress(user.email),
  }
  const isBonus = request.amount > 0
  return (
    <span className="approvals-actions">
      {canApprove && (
        <Button
          variant="quiet"
          icon={IconCheck}
          label={t('approvals.approveOf', facts)}
          onPress={() => setAsked('approve')}
        />
      )}
      {canRefuse && (
        <Button
          variant="quiet"
          icon={canApprove ? IconX : IconArrowBackUp}
          label={t(canApprove ? 'approvals.refuseOf' : 'approvals.withdrawOf', facts)}
          onPress={() => setAsked('refuse')}
        />
      )}
      {asked === 'approve' && (
        <CommentDialog
          title={t('approvals.approveOf', facts)}
          effects={[t(isBonus ? 'approvals.givesNow' : 'approvals.takesNow', facts), request.description]}
          verb={t('approvals.approve')}
          send={(comment) => act({ params: { id }, body: { comment } })}
          onClose={close}
        />
      )}
      {asked === 'refuse' && <RefuseDialog request={request} facts={facts} onClose={close} />}
    </span>
  )
}

interface RefuseDialogProps {
  request: OneOffRequest
  facts: { amount: string; name: string }
  onClose: () => void
}

/** Rejects the request; the reason is shown to the requester and kept in the activity. */
function RefuseDialog({ request: { id, canApprove }, facts, onClose }: RefuseDialogProps) {
  const t = useT()
  const act = useAct('POST /api/v4/one-offs/{id}/refuse', everything)
  const form = useForm({
    initial: { comment: '' },
    prefix: 'refuse-',
    submit: async ({ comment }) => {
      const body = { comment: comment.trim() }
      await act({ params: { id }, body })
      onClose()
    },
  })
  return (
    <FormDialog
      title={t(canApprove ? 'approvals.refuseOf' : 'approvals.withdrawOf', facts)}
      form={form}
      onClose={onClose}
      preset="delete"
      submitLabel={t(canApprove ? 'approvals.refuse' : 'approvals.withdraw')}
      icon={canApprove ? IconX : IconArrowBackUp}
      busyLabel={t('cockpit.working')}
    >
      <TextArea
        {...form.field('comment')}
        label={t('words.reason')}
        hint={t('approvals.reasonHint')}
        required
        rows={3}
        maxLength={1024}
      />
    </FormDialog>
  )
}
