import { canonicalAddress, displayAddress } from '@gatehouse/contract/canonical-address'
import type { UserDetail } from '@gatehouse/contract/directory/users'
import { useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { RemovalCost } from '../../domain/subscriptions/removal-cost.tsx'
import { useObjectPrice } from '../../domain/subscriptions/use-price-preview.ts'
import { price } from '../../i18n/format.ts'
import { useT } from '../../i18n/i18n.ts'
import { rich } from '../../i18n/rich-text.tsx'
import { call } from '../../platform/api/api.ts'
import { ApiError } from '../../platform/api/api-error.ts'
import { reportDone } from '../../platform/api/undo.ts'
import { config } from '../../platform/config.ts'
import { hasPermission } from '../../platform/session/auth.ts'
import { logout } from '../../platform/session/session.ts'
import { Link } from '../../router/link.tsx'
import { useNavigate } from '../../router/router-context.tsx'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { Checkbox } from '../../ui/fields/checkbox.tsx'
import { TextField } from '../../ui/fields/text-field.tsx'
import { toasts } from '../../ui/toasts/store.ts'
import { forgetLists } from './user-calls.ts'

export interface DeleteDialogProps {
  user: UserDetail
  isSelf: boolean
  /** Opened from the list, which keeps its filter. */
  inList?: boolean
  onClose: () => void
}

/**
 * Confirms deleting a user: what is deleted, what stays, the cost. Deleting oneself requires typing the
 * address.
 */
export function DeleteDialog({ user, isSelf, inList = false, onClose }: DeleteDialogProps) {
  const t = useT()
  const fieldId = useId()
  const creditId = useId()
  const [typed, setTyped] = useState('')
  const [isForfeitKnown, setForfeitKnown] = useState(false)
  const cost = useObjectPrice({ type: 'user', action: 'delete', id: user.id })
  const forfeit = cost.preview?.forfeit ?? 0
  const credit = forfeit > 0 ? price(forfeit, cost.preview?.currency ?? '') : undefined
  const remove = useRemove(user, { isSelf, inList, forfeit })
  const isTyped = canonicalAddress(typed) === user.email
  const isCostKnown = cost.preview !== undefined || cost.failed
  const isConfirmed = !isSelf || (isTyped && isCostKnown && (isForfeitKnown || credit === undefined))
  const unconfirmed = !isTyped
    ? t('users.deleteTypeFirst')
    : isCostKnown && !isConfirmed
      ? t('users.deleteAcceptFirst')
      : undefined
  const confirm = async () => {
    try {
      await remove()
    } catch (error) {
      // the balance has grown since: the new amount must be acknowledged
      if (error instanceof ApiError && error.errors?.forfeit !== undefined) {
        setForfeitKnown(false)
        await cost.retry()
      }
      throw error
    }
  }
  return (
    <Dialog
      open
      title={t(isSelf ? 'users.deleteSelfTitle' : 'users.deleteTitle', { email: displayAddress(user.email) })}
      onClose={onClose}
      cancelFocus
      footnote={isSelf ? unconfirmed : undefined}
      actions={[
        {
          preset: 'delete',
          label: t(isSelf ? 'users.deleteAccountNow' : 'users.deleteNow'),
          busyLabel: t('users.deleting'),
          disabled: !isConfirmed,
          onPress: confirm,
        },
      ]}
    >
      <ul className="dialog-effects">
        {isSelf ? (
          <>
            <li>{t('users.deleteSelfGoes')}</li>
            <li>{t('users.deleteSelfEnds')}</li>
          </>
        ) : (
          <>
            <li>{t('users.deleteGoes', { count: user.aliases.length })}</li>
            <li>{t('users.deleteEnds')}</li>
          </>
        )}
        <li>{t('users.deleteStays', { days: config['app.retention_days'] })}</li>
        <li>
          <RemovalCost cost={cost} />
        </li>
        {credit && (
          <li>
            {rich(t('users.deleteCredit', { credit }), {
              b: (text) => <b>{text}</b>,
            })}
          </li>
        )}
        {isSelf && hasPermission('wallets') && (
          <li>
            {rich(t('users.deleteReceipts'), {
              a: (text) => (
                <Link to="/wallet" search={{ tab: 'receipts' }}>
                  {text}
                </Link>
              ),
            })}
          </li>
        )}
      </ul>
      <p>
        {isSelf ? (
          <b>{t('users.deleteFinal')}</b>
        ) : (
          t('users.deleteBack', { days: config['app.retention_days'] })
        )}
      </p>
      {isSelf && config['app.support_email'] && <Feedback address={config['app.support_email']} />}
      {credit && (
        <Checkbox
          id={creditId}
          label={t('users.deleteForfeit', { credit })}
          checked={isForfeitKnown}
          onChecked={setForfeitKnown}
        />
      )}
      {isSelf && (
        <TextField
          id={fieldId}
          label={rich(t('users.deleteTyped', { email: displayAddress(user.email) }), {
            b: (text) => <b>{text}</b>,
          })}
          value={typed}
          onValue={setTyped}
          exact
        />
      )}
    </Dialog>
  )
}

function useRemove(
  user: UserDetail,
  { isSelf, inList, forfeit }: { isSelf: boolean; inList: boolean; forfeit: number },
): () => Promise<void> {
  const client = useQueryClient()
  const navigate = useNavigate()
  return async () => {
    const answer = await call('DELETE /api/v4/users/{id}', {
      params: { id: String(user.id) },
      body: forfeit > 0 ? { forfeit } : {},
    })
    if (isSelf) {
      toasts.success(answer.message)
      return logout()
    }
    reportDone(
      answer.message,
      () => call('POST /api/v4/users/{id}/restore', { params: { id: String(user.id) }, body: {} }),
      () => forgetLists(client),
    )
    forgetLists(client)
    if (!inList) await navigate({ to: '/users', ignoreBlocker: true })
  }
}

function Feedback({ address }: { address: string }) {
  const t = useT()
  return (
    <p>
      {rich(t('users.deleteFeedback', { address }), {
        a: (text) => <a href={`mailto:${address}`}>{text}</a>,
      })}
    </p>
  )
}
