import type { Routes } from '@gatehouse/contract/routes'
import IconArrowLeft from '@tabler/icons-react/dist/esm/icons/IconArrowLeft.mjs'
import IconArrowRight from '@tabler/icons-react/dist/esm/icons/IconArrowRight.mjs'
import IconDeviceMobile from '@tabler/icons-react/dist/esm/icons/IconDeviceMobile.mjs'
import { useState } from 'react'
import { useT } from '../../i18n/i18n.ts'
import { call } from '../../platform/api/api.ts'
import { ApiError } from '../../platform/api/api-error.ts'
import { reportError } from '../../platform/api/report-error.ts'
import { Button, ButtonLink } from '../../ui/buttons/button.tsx'
import { CopyValue } from '../../ui/buttons/copy-value.tsx'
import { Dialog, type DialogAction } from '../../ui/dialog/dialog.tsx'
import { TextField } from '../../ui/fields/text-field.tsx'
import { type Form, useForm } from '../../ui/form/use-form.ts'
import { Note } from '../../ui/page/note.tsx'
import { Steps } from '../../ui/page/steps.tsx'
import { toasts } from '../../ui/toasts/store.ts'
import { CodesDialog } from './codes-dialog.tsx'
import { StepBody } from './step-body.tsx'

export type TotpSetup = Routes['POST /api/v4/factors/totp']['ok']

export interface TotpDialogProps {
  setup: TotpSetup
  /** Recovery codes are created with it. */
  isFirst: boolean
  /** Starts over, because a setup expires after ten minutes. */
  onAgain: () => Promise<void>
  onClose: () => void
  /** The factor is active, and any recovery codes created with it are saved. */
  onAdded: () => void
}

type Step = 'scan' | 'code'
type Added = Routes['POST /api/v4/factors/totp/{id}/confirm']['ok']

/** Sets up an authenticator app: scan, confirm with a code, save the recovery codes. */
export function TotpDialog({ setup, isFirst, onAgain, onClose, onAdded }: TotpDialogProps) {
  const t = useT()
  const [step, setStep] = useState<Step>('scan')
  const [isExpired, setExpired] = useState(false)
  const [added, setAdded] = useState<Added>()
  const form = useForm({
    initial: { code: '' },
    prefix: 'totp-',
    submit: async ({ code }) => {
      try {
        finishOrShowCodes(await confirm(setup.id, code))
      } catch (error) {
        if (error instanceof ApiError && error.status === 404) return setExpired(true)
        reportError(error)
        throw error
      }
    },
  })
  const finish = ({ message }: Added) => {
    toasts.success(message)
    onAdded()
  }
  const finishOrShowCodes = (answer: Added) => (answer.recoveryCodes ? setAdded(answer) : finish(answer))
  const names = [t('factors.stepScan'), t('words.code'), ...(isFirst ? [t('words.recoveryCodes')] : [])]
  if (added?.recoveryCodes) {
    const steps = <Steps names={names} current={2} />
    return <CodesDialog codes={added.recoveryCodes} over={steps} onDone={() => finish(added)} />
  }

  const next: DialogAction = {
    preset: 'submit',
    icon: IconArrowRight,
    label: t('factors.next'),
    onPress: () => setStep('code'),
  }
  const submit: DialogAction = {
    preset: 'submit',
    label: t('words.confirm'),
    busy: form.busy,
    busyLabel: t('words.checking'),
  }
  const again: DialogAction = { preset: 'submit', label: t('factors.again'), onPress: onAgain }
  const action = step === 'scan' ? next : submit
  return (
    <Dialog open title={t('factors.appTitle')} onClose={onClose} actions={[isExpired ? again : action]}>
      <StepBody key={step}>
        <Steps names={names} current={step === 'scan' ? 0 : 1} />
        {step === 'scan' ? (
          <Scan setup={setup} />
        ) : (
          <Code form={form} isExpired={isExpired} onBack={() => setStep('scan')} />
        )}
      </StepBody>
    </Dialog>
  )
}

/** Splits the secret into groups of four, for typing. */
function inFours(secret: string): string {
  return secret.replace(/(.{4})(?=.)/g, '$1 ')
}

function confirm(id: string, code: string) {
  const body = { code: code.trim() }
  return call('POST /api/v4/factors/totp/{id}/confirm', { params: { id }, body, ignoreErrors: true })
}

function Scan({ setup: { qrcode, secret, uri } }: { setup: TotpSetup }) {
  const t = useT()
  return (
    <>
      <p>{t('factors.scanText')}</p>
      <div className="totp-scan">
        <img src={qrcode} width="176" height="176" alt={t('factors.qr')} />
        <div className="stack stack-tight">
          <p className="small text-2">{t('factors.typeText')}</p>
          <CopyValue boxed text={secret} shown={inFours(secret)} label={t('factors.copySecret')} />
          <p className="totp-here">
            <ButtonLink to={uri} size="small" icon={IconDeviceMobile}>
              {t('factors.openApp')}
            </ButtonLink>
          </p>
        </div>
      </div>
      <p className="small text-3">{t('factors.appHint')}</p>
    </>
  )
}

interface CodeProps {
  form: Form<{ code: string }>
  isExpired: boolean
  onBack: () => void
}

function Code({ form, isExpired, onBack }: CodeProps) {
  const t = useT()
  if (isExpired) {
    return (
      <Note tone="warning" live title={t('factors.expired')}>
        {t('factors.expiredText')}
      </Note>
    )
  }
  return (
    <form {...form.props} className="stack">
      <TextField
        {...form.field('code')}
        type="text"
        label={t('factors.code')}
        hint={t('factors.codeHint')}
        icon={IconDeviceMobile}
        inputMode="numeric"
        autoComplete="one-time-code"
        spellCheck={false}
        placeholder="123 456"
        maxLength={64}
        required
      />
      <p>
        <Button variant="quiet" size="small" icon={IconArrowLeft} disabled={form.busy} onPress={onBack}>
          {t('factors.back')}
        </Button>
      </p>
    </form>
  )
}
