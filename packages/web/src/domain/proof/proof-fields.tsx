import type { StepUpMeans } from '@gatehouse/contract/sessions/proofs'
import IconDeviceMobile from '@tabler/icons-react/dist/esm/icons/IconDeviceMobile.mjs'
import IconFingerprint from '@tabler/icons-react/dist/esm/icons/IconFingerprint.mjs'
import IconLifebuoy from '@tabler/icons-react/dist/esm/icons/IconLifebuoy.mjs'
import IconLock from '@tabler/icons-react/dist/esm/icons/IconLock.mjs'
import { useEffect, useRef } from 'react'
import type { MessageKey } from '../../i18n/areas.ts'
import { type Translate, useT } from '../../i18n/i18n.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { PasswordField } from '../../ui/fields/password-field.tsx'
import { TextField } from '../../ui/fields/text-field.tsx'
import type { Glyph } from '../../ui/icon.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Note } from '../../ui/page/note.tsx'
import type { Proof } from './use-proof.ts'
import './proof.css'

const ways: Record<StepUpMeans, { label: MessageKey; icon: Glyph }> = {
  passkey: { label: 'proof.withPasskey', icon: IconFingerprint },
  totp: { label: 'proof.withApp', icon: IconDeviceMobile },
  recovery: { label: 'proof.withRecovery', icon: IconLifebuoy },
  password: { label: 'proof.withPassword', icon: IconLock },
}

/**
 * The field of the chosen means, with the other means as buttons. Render it in a form with the props of
 * `proof.form`.
 */
export function ProofFields({ proof, username }: { proof: Proof; username?: string }) {
  const t = useT()
  const { means, shown, choose, failure, form } = proof
  const others = means.filter((one) => one !== shown)
  useFocusOnChange(form.props.ref, shown)
  if (!shown) {
    return (
      <Note tone="warning" title={t('proof.none')}>
        {t('proof.noneText')}
      </Note>
    )
  }
  return (
    <>
      {/* says whose proof it is to programs that keep passwords */}
      {username && <input type="hidden" name="username" autoComplete="username" value={username} readOnly />}
      <ShownField proof={proof} />
      {failure && <Note tone="danger" live title={failure} />}
      {others.length > 0 && (
        <div className="proof-ways">
          <p className="small text-3">{t('proof.otherWays')}</p>
          {others.map((one) => (
            <Button
              key={one}
              variant="quiet"
              size="small"
              icon={ways[one].icon}
              disabled={form.busy}
              onPress={() => choose(one)}
            >
              {t(ways[one].label)}
            </Button>
          ))}
        </div>
      )}
    </>
  )
}

/** Labels of the button that submits the proof. */
export function submitWords(t: Translate, { shown }: Proof): { label: string; busyLabel: string } {
  return shown === 'passkey'
    ? { label: t('proof.usePasskey'), busyLabel: t('proof.waiting') }
    : { label: t('words.confirm'), busyLabel: t('words.checking') }
}

function ShownField({ proof: { form, shown } }: { proof: Proof }) {
  const t = useT()
  if (shown === 'passkey') {
    return (
      <p className="proof-passkey">
        <Icon of={IconFingerprint} size="large" />
        <span>{t('proof.passkeyText')}</span>
      </p>
    )
  }
  if (shown === 'password') {
    return (
      <PasswordField
        {...form.field('password')}
        label={t('proof.password')}
        icon={IconLock}
        autoComplete="current-password"
        required
      />
    )
  }
  const isCode = shown === 'totp'
  return (
    <TextField
      {...form.field('secondfactor')}
      label={t(isCode ? 'words.code' : 'words.recoveryCode')}
      hint={t(isCode ? 'proof.codeHint' : 'proof.recoveryHint')}
      icon={isCode ? IconDeviceMobile : IconLifebuoy}
      inputMode={isCode ? 'numeric' : undefined}
      autoComplete={isCode ? 'one-time-code' : 'off'}
      exact
      placeholder={isCode ? '123 456' : undefined}
      maxLength={64}
      required
    />
  )
}

/** Focuses the field on mount and after a change of means, since the pressed button is unmounted. */
function useFocusOnChange(form: Proof['form']['props']['ref'], shown: StepUpMeans | undefined): void {
  const before = useRef<StepUpMeans>(undefined)
  useEffect(() => {
    if (before.current === shown) return
    const isFirst = before.current === undefined
    before.current = shown
    const first = form.current?.querySelector<HTMLElement>('input:not([type="hidden"])')
    if (first) first.focus()
    else if (!isFirst || document.activeElement === document.body) form.current?.focus()
  }, [form, shown])
}
