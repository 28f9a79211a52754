import type { AppPasswordScope } from '@gatehouse/contract/sessions/app-passwords'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useT } from '../../i18n/i18n.ts'
import { type Answer, call } from '../../platform/api/api.ts'
import { CopyValue } from '../../ui/buttons/copy-value.tsx'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { FormDialog } from '../../ui/dialog/form-dialog.tsx'
import { Checkbox } from '../../ui/fields/checkbox.tsx'
import { FieldNotes } from '../../ui/fields/field.tsx'
import { Select } from '../../ui/fields/select.tsx'
import { TextField } from '../../ui/fields/text-field.tsx'
import { errorLine } from '../../ui/form/field-errors.ts'
import { type Form, useForm } from '../../ui/form/use-form.ts'
import { Note } from '../../ui/page/note.tsx'
import { expiries, expiryLabels, expiryOf } from './expiries.ts'
import { scopeLabels, scopes, scopeTexts } from './scope-labels.ts'
import './make-dialog.css'

type Made = Answer<'POST /api/v4/app-passwords'>

interface Values extends Record<AppPasswordScope, boolean> {
  name: string
  days: string
}

const initial: Values = { name: '', days: '0', imap: true, smtp: true, dav: false, files: false }

export interface MakeDialogProps {
  /** What a mail program or phone needs: mail, calendars and contacts. */
  forDevice?: boolean
  onClose: () => void
}

/** Creates an app password and shows it once. */
export function MakeDialog({ forDevice = false, onClose }: MakeDialogProps) {
  const [made, setMade] = useState<Made & { name: string }>()
  return made ? (
    <SecretDialog made={made} onClose={onClose} />
  ) : (
    <WantedDialog initial={{ ...initial, dav: forDevice }} onMade={setMade} onClose={onClose} />
  )
}

interface WantedDialogProps {
  initial: Values
  onMade: (made: Made & { name: string }) => void
  onClose: () => void
}

function WantedDialog({ initial: values, onMade, onClose }: WantedDialogProps) {
  const t = useT()
  const client = useQueryClient()
  const form: Form<Values> = useForm<Values>({
    initial: values,
    prefix: 'app-password-',
    submit: async ({ name, days, ...chosen }) => {
      const wanted = scopes.filter((scope) => chosen[scope])
      if (wanted.length === 0) return form.setErrors({ scopes: t('apppasswords.noScope') })
      const body = { name, scopes: wanted, expires_at: expiryOf(Number(days)) }
      const made = await call('POST /api/v4/app-passwords', { body })
      onMade({ ...made, name })
      await client.invalidateQueries({ queryKey: ['GET /api/v4/app-passwords'] })
    },
  })
  return (
    <FormDialog
      title={t('words.newAppPassword')}
      form={form}
      onClose={onClose}
      preset="submit"
      submitLabel={t('apppasswords.makeDo')}
      busyLabel={t('apppasswords.making')}
    >
      <TextField
        {...form.field('name')}
        label={t('words.name')}
        hint={t('apppasswords.nameHint')}
        required
        maxLength={100}
        autoComplete="off"
      />
      <Scopes form={form} />
      <Select
        {...form.field('days')}
        label={t('words.expires')}
        options={expiries.map((days) => ({ value: String(days), label: t(expiryLabels[days]) }))}
      />
      {/* Enter in a field submits, as the button in the foot does */}
      <button type="submit" hidden />
    </FormDialog>
  )
}

/** The server reports errors of all of them under `scopes`. */
function Scopes({ form }: { form: Form<Values> }) {
  const t = useT()
  const error = form.errors.scopes
  return (
    <fieldset className="app-password-scopes" aria-describedby={error && 'app-password-scopes-error'}>
      <legend className="field-label">{t('apppasswords.scopes')}</legend>
      <input type="hidden" name="scopes" />
      {scopes.map((scope) => (
        <Checkbox
          key={scope}
          {...form.check(scope)}
          label={
            <>
              {t(scopeLabels[scope])} <span className="text-3">{t(scopeTexts[scope])}</span>
            </>
          }
        />
      ))}
      <div role="alert">
        <FieldNotes id="app-password-scopes" error={error && errorLine(error)} />
      </div>
    </fieldset>
  )
}

/** The secret, with the settings to enter in a program. */
function SecretDialog({ made, onClose }: { made: Made & { name: string }; onClose: () => void }) {
  const t = useT()
  return (
    <Dialog
      open
      title={t('apppasswords.secretTitle', { name: made.name })}
      cancelLabel={t('words.done')}
      onClose={onClose}
    >
      <Note tone="warning" title={t('apppasswords.onceTitle')}>
        {t('apppasswords.onceText')}
      </Note>
      <div className="app-password-value">
        <span className="field-label">{t('words.userName')}</span>
        <CopyValue boxed text={made.username} label={t('words.userName')} />
      </div>
      <div className="app-password-value app-password-secret">
        <span className="field-label">{t('words.appPassword')}</span>
        <CopyValue boxed text={made.secret} label={t('words.appPassword')} />
      </div>
      <p className="small text-3">{t('apppasswords.howTo')}</p>
    </Dialog>
  )
}
