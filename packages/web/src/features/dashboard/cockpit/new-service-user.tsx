import { displayAddress } from '@gatehouse/contract/canonical-address'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import { useState } from 'react'
import { useT } from '../../../i18n/i18n.ts'
import { call } from '../../../platform/api/api.ts'
import { Button } from '../../../ui/buttons/button.tsx'
import { CopyValue } from '../../../ui/buttons/copy-value.tsx'
import { Dialog } from '../../../ui/dialog/dialog.tsx'
import { FormDialog } from '../../../ui/dialog/form-dialog.tsx'
import { TextArea } from '../../../ui/fields/text-area.tsx'
import { TextField } from '../../../ui/fields/text-field.tsx'
import { useForm } from '../../../ui/form/use-form.ts'
import { Note } from '../../../ui/page/note.tsx'

interface Made {
  email: string
  password: string
}

/** Creates a service user; the password is shown once. */
export function NewServiceUser() {
  const t = useT()
  const [made, setMade] = useState<Made>()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button icon={IconPlus} onPress={() => setOpen(true)}>
        {t('words.newServiceUser')}
      </Button>
      {isOpen && (
        <AskDialog
          onClose={() => setOpen(false)}
          onMade={(user) => {
            setOpen(false)
            setMade(user)
          }}
        />
      )}
      {made && <PasswordDialog made={made} onClose={() => setMade(undefined)} />}
    </>
  )
}

function AskDialog({ onClose, onMade }: { onClose: () => void; onMade: (made: Made) => void }) {
  const t = useT()
  const form = useForm({
    initial: { email: '', reason: '' },
    prefix: 'service-',
    submit: async ({ email, reason }) =>
      onMade(await call('POST /api/v4/service-users', { body: { email: email.trim() || null, reason } })),
  })
  return (
    <FormDialog
      title={t('words.newServiceUser')}
      form={form}
      onClose={onClose}
      preset="submit"
      submitLabel={t('customer.serviceNow')}
      busyLabel={t('cockpit.working')}
    >
      <p>{t('customer.serviceText')}</p>
      <TextField
        {...form.field('email')}
        type="email"
        required
        label={t('words.emailAddress')}
        hint={t('customer.serviceEmailHint')}
        exact
      />
      <TextArea
        {...form.field('reason')}
        label={t('words.why')}
        hint={t('cockpit.commentHint')}
        required
        rows={3}
        maxLength={1024}
      />
    </FormDialog>
  )
}

function PasswordDialog({ made, onClose }: { made: Made; onClose: () => void }) {
  const t = useT()
  return (
    <Dialog open title={t('customer.serviceDone', { email: displayAddress(made.email) })} onClose={onClose}>
      <div className="field">
        <p className="field-label">{t('words.password')}</p>
        <CopyValue boxed text={made.password} label={t('customer.serviceCopy')} />
      </div>
      <Note tone="warning" title={t('customer.serviceOnce')}>
        {t('customer.serviceOnceText')}
      </Note>
    </Dialog>
  )
}
