import IconEraser from '@tabler/icons-react/dist/esm/icons/IconEraser.mjs'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import { useState } from 'react'
import type { MessageKey } from '../../../i18n/areas.ts'
import { useT } from '../../../i18n/i18n.ts'
import { call } from '../../../platform/api/api.ts'
import { everything, useActWith } from '../../../platform/api/use-act.ts'
import { useNavigate } from '../../../router/router-context.tsx'
import { Button } from '../../../ui/buttons/button.tsx'
import { FormDialog } from '../../../ui/dialog/form-dialog.tsx'
import { TextArea } from '../../../ui/fields/text-area.tsx'
import { TextField } from '../../../ui/fields/text-field.tsx'
import { useForm } from '../../../ui/form/use-form.ts'

/** Kinds of objects that can be deleted, by API path. */
type Deletable = 'users' | 'domains' | 'groups' | 'resources' | 'shared-folders'

export interface DeletionProps {
  kind: Deletable
  id: number
  /** Address or name, which must be typed to confirm erasing. */
  name: string
  rights: { canDelete: boolean; canErase: boolean }
  /** The user owns an account, which is deleted too. */
  isAccount?: boolean
}

/** Deletes an object, or erases a deleted one, with a reason for the activity. */
export function Deletion(props: DeletionProps) {
  const t = useT()
  const [asked, setAsked] = useState<'delete' | 'erase'>()
  const { canDelete, canErase } = props.rights
  return (
    <>
      {canDelete && (
        <Button icon={IconTrash} onPress={() => setAsked('delete')}>
          {t('words.delete')}
        </Button>
      )}
      {canErase && (
        <Button icon={IconEraser} onPress={() => setAsked('erase')}>
          {t('customer.erase')}
        </Button>
      )}
      {asked && <DeletionDialog {...props} verb={asked} onClose={() => setAsked(undefined)} />}
    </>
  )
}

const deletedEffects: Record<Deletable, readonly MessageKey[]> = {
  users: ['customer.deleteUser', 'customer.deleteRestorable'],
  domains: ['customer.deleteDomain', 'customer.deleteRestorable'],
  groups: ['customer.deleteList', 'customer.deleteRestorable'],
  resources: ['customer.deleteResource', 'customer.deleteRestorable'],
  'shared-folders': ['customer.deleteFolder', 'customer.deleteRestorable'],
}

const accountEffects = {
  delete: ['customer.deleteAccount', 'customer.deleteBalance', 'customer.deleteRestorable'],
  erase: ['customer.eraseAccount', 'customer.eraseBooks', 'customer.eraseFinal'],
} as const satisfies Record<string, readonly MessageKey[]>

function effectsOf(verb: 'delete' | 'erase', kind: Deletable, isAccount: boolean): readonly MessageKey[] {
  if (isAccount) return accountEffects[verb]
  if (verb === 'delete') return deletedEffects[kind]
  const what = kind === 'users' ? 'customer.eraseUser' : 'customer.eraseObject'
  return [what, 'customer.eraseBooks', 'customer.eraseFinal']
}

interface DialogProps extends DeletionProps {
  verb: 'delete' | 'erase'
  onClose: () => void
}

function DeletionDialog({ kind, id, name, isAccount = false, verb, onClose }: DialogProps) {
  const t = useT()
  const act = useActWith(everything)
  const navigate = useNavigate()
  const isConfirmed = verb === 'erase' || isAccount
  const form = useForm({
    initial: { reason: '', confirm: '' },
    prefix: 'deletion-',
    submit: async ({ reason, confirm }) => {
      const body = { reason: reason.trim(), ...(isConfirmed && { confirm: confirm.trim() }) }
      const restore = () =>
        call(`POST /api/v4/${kind}/{id}/restore @staff`, {
          params: { id: String(id) },
          body: { comment: null },
        })
      const send = async () => {
        const answer = await call(`POST /api/v4/${kind}/{id}/${verb}`, { params: { id: String(id) }, body })
        // an erased object has no page
        if (verb === 'erase') await navigate({ to: '/dashboard' })
        return answer
      }
      await act(send, { undo: verb === 'delete' ? restore : undefined })
      onClose()
    },
  })
  return (
    <FormDialog
      title={t(verb === 'delete' ? 'words.deleteTitle' : 'customer.eraseTitle', { name })}
      form={form}
      onClose={onClose}
      preset="delete"
      submitLabel={t(verb === 'delete' ? 'customer.deleteNow' : 'customer.eraseNow')}
      busyLabel={t('cockpit.working')}
    >
      <ul className="dialog-effects">
        {effectsOf(verb, kind, isAccount).map((key) => (
          <li key={key}>{t(key)}</li>
        ))}
      </ul>
      <TextArea
        {...form.field('reason')}
        label={t('words.reason')}
        hint={t('customer.deletionReasonHint')}
        required
        rows={3}
        maxLength={1024}
      />
      {isConfirmed && (
        <TextField {...form.field('confirm')} label={t('customer.confirmName', { name })} required exact />
      )}
    </FormDialog>
  )
}
