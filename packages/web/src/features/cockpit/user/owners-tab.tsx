import { displayAddress } from '@gatehouse/contract/canonical-address'
import IconArrowsExchange from '@tabler/icons-react/dist/esm/icons/IconArrowsExchange.mjs'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import { useState } from 'react'
import type { OwnerRow } from '../../../domain/owners/owner-rows.ts'
import { OwnerTable } from '../../../domain/owners/owner-table.tsx'
import { useT } from '../../../i18n/i18n.ts'
import { call } from '../../../platform/api/api.ts'
import { useApi } from '../../../platform/api/query.tsx'
import { everything, useActWith } from '../../../platform/api/use-act.ts'
import { Button } from '../../../ui/buttons/button.tsx'
import { FormDialog } from '../../../ui/dialog/form-dialog.tsx'
import { TextArea } from '../../../ui/fields/text-area.tsx'
import { TextField } from '../../../ui/fields/text-field.tsx'
import { useForm } from '../../../ui/form/use-form.ts'
import { LoadFailed } from '../../../ui/page/load-failed.tsx'
import { Panel } from '../../../ui/page/panel.tsx'
import { SkeletonRows } from '../../../ui/page/skeleton.tsx'

/** The open dialog: an invitation, a change of owner, or the removal of an owner. */
type Open = { act: 'invite' | 'handOver' } | { act: 'remove'; row: OwnerRow }

/** The owners of a customer's account. */
export function OwnersTab({ id }: { id: string }) {
  const t = useT()
  const [open, setOpen] = useState<Open>()
  const query = useApi('GET /api/v4/wallets/{id}/controllers @staff', { params: { id } })
  const { data } = query
  return (
    <Panel
      flush
      title={t('words.owners')}
      actions={
        <span className="row">
          {data?.canHandOver && (
            <Button icon={IconArrowsExchange} onPress={() => setOpen({ act: 'handOver' })}>
              {t('owners.handOver')}
            </Button>
          )}
          {data?.canChange && (
            <Button icon={IconPlus} onPress={() => setOpen({ act: 'invite' })}>
              {t('owners.invite')}
            </Button>
          )}
        </span>
      }
    >
      {data && (
        <OwnerTable
          label={t('words.owners')}
          owners={{ ...data, canHandOver: false }}
          onEnd={(row) => setOpen({ act: 'remove', row })}
        />
      )}
      {query.isPending && <SkeletonRows count={2} />}
      {query.isError && !data && (
        <div className="panel-body">
          <LoadFailed onRetry={query.refetch} />
        </div>
      )}
      {open && <OwnerDialog id={id} open={open} onClose={() => setOpen(undefined)} />}
    </Panel>
  )
}

interface OwnerDialogProps {
  id: string
  open: Open
  onClose: () => void
}

/** Asks for a person and a reason. */
function OwnerDialog({ id, open, onClose }: OwnerDialogProps) {
  const t = useT()
  const act = useActWith(everything)
  const row = open.act === 'remove' ? open.row : undefined
  const texts = dialogTexts[open.act]
  const form = useForm({
    initial: { email: displayAddress(row?.email ?? ''), reason: '' },
    prefix: 'owner-',
    submit: async ({ email, reason }) => {
      const request = { params: { id }, body: { email: email.trim(), reason } }
      await act(() =>
        row
          ? call('POST /api/v4/wallets/{id}/controllers/remove', request)
          : open.act === 'invite'
            ? call('POST /api/v4/wallets/{id}/controllers @staff', request)
            : call('POST /api/v4/wallets/{id}/owner @staff', request),
      )
      onClose()
    },
  })
  return (
    <FormDialog
      title={t(texts.title, { email: displayAddress(row?.email ?? '') })}
      form={form}
      onClose={onClose}
      preset={row ? 'delete' : 'submit'}
      submitLabel={t(texts.act)}
      busyLabel={t('cockpit.working')}
    >
      {!row && (
        <TextField
          {...form.field('email')}
          type="email"
          required
          label={t('words.emailAddress')}
          hint={t(open.act === 'invite' ? 'owners.staffAddressHint' : 'owners.staffHeirHint')}
          exact
        />
      )}
      <TextArea
        {...form.field('reason')}
        label={t('words.why')}
        hint={t('customer.loginReasonHint')}
        required
        rows={3}
        maxLength={1024}
      />
    </FormDialog>
  )
}

const dialogTexts = {
  invite: { title: 'owners.inviteTitle', act: 'owners.inviteDo' },
  remove: { title: 'owners.removeTitle', act: 'owners.removeDo' },
  handOver: { title: 'owners.handOverTitle', act: 'owners.staffHandOverDo' },
} as const
