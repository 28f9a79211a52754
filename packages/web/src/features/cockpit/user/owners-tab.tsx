import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../../app/api.ts'
import { apiQuery } from '../../../app/query.tsx'
import { useT } from '../../../i18n/i18n.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { useForm } from '../../../ui/form/use-form.ts'
import { LoadFailed } from '../../../ui/load-failed.tsx'
import type { OwnerRow } from '../../../ui/owners/owner-rows.ts'
import { OwnerTable } from '../../../ui/owners/owner-table.tsx'
import { Panel } from '../../../ui/panel.tsx'
import { SkeletonRows } from '../../../ui/skeleton.tsx'
import { TextArea } from '../../../ui/text-area.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { useAct } from '../shared/acts.ts'

/** What is open over the table: the dialog for an invitation, or the question to remove somebody. */
type Open = { act: 'invite' } | { act: 'remove'; row: OwnerRow }

/** The owners of a customer's account. */
export function OwnersTab({ id }: { id: string }) {
  const t = useT()
  const [open, setOpen] = useState<Open>()
  const query = useQuery(apiQuery('GET /api/v4/wallets/{id}/controllers @staff', { params: { id } }))
  const { data } = query
  return (
    <Panel
      flush
      title={t('owners.tab')}
      actions={
        data?.canChange && (
          <Button icon={IconPlus} onPress={() => setOpen({ act: 'invite' })}>
            {t('owners.invite')}
          </Button>
        )
      }
    >
      {data && (
        <OwnerTable label={t('owners.tab')} owners={data} onEnd={(row) => setOpen({ act: 'remove', row })} />
      )}
      {query.isPending && <SkeletonRows count={2} />}
      {query.isError && !data && (
        <div className="panel-body">
          <LoadFailed onRetry={query.refetch} />
        </div>
      )}
      {open && (
        <OwnerDialog
          id={id}
          row={open.act === 'remove' ? open.row : undefined}
          onClose={() => setOpen(undefined)}
        />
      )}
    </Panel>
  )
}

interface OwnerDialogProps {
  id: string
  /** Who is removed, or whose invitation is withdrawn; absent: somebody is invited. */
  row: OwnerRow | undefined
  onClose: () => void
}

/** Asks for a reason, and whom to invite. */
function OwnerDialog({ id, row, onClose }: OwnerDialogProps) {
  const t = useT()
  const act = useAct()
  const form = useForm({
    initial: { email: row?.email ?? '', reason: '' },
    prefix: 'owner-',
    submit: async ({ email, reason }) => {
      const request = { params: { id }, body: { email: email.trim(), reason } }
      await act(() =>
        row
          ? call('POST /api/v4/wallets/{id}/controllers/remove', request)
          : call('POST /api/v4/wallets/{id}/controllers @staff', request),
      )
      onClose()
    },
  })
  return (
    <Dialog
      open
      title={row ? t('owners.removeTitle', { email: row.email }) : t('owners.inviteTitle')}
      onClose={onClose}
      actions={[
        {
          preset: row ? 'delete' : 'submit',
          label: t(row ? 'owners.removeDo' : 'owners.inviteDo'),
          busyLabel: t('cockpit.working'),
          busy: form.busy,
          onPress: () => form.submit(),
          dismiss: false,
        },
      ]}
    >
      <form {...form.props} className="stack">
        {!row && (
          <TextField
            {...form.field('email')}
            type="email"
            required
            label={t('owners.address')}
            hint={t('owners.staffAddressHint')}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
          />
        )}
        <TextArea
          {...form.field('reason')}
          label={t('customer.loginReason')}
          hint={t('customer.loginReasonHint')}
          required
          rows={3}
          maxLength={1024}
        />
      </form>
    </Dialog>
  )
}
