import { displayAddress } from '@gatehouse/contract/canonical-address'
import { useT } from '../../../i18n/i18n.ts'
import { rich } from '../../../i18n/rich-text.tsx'
import { Button } from '../../../ui/buttons/button.tsx'
import { WaitButton } from '../../../ui/buttons/wait-button.tsx'
import { CodeField } from '../../../ui/fields/code-field.tsx'
import { toasts } from '../../../ui/toasts/store.ts'
import type { Signup } from '../use-signup.ts'
import { StepFrame } from './step-frame.tsx'

/** Seconds until another mail can be requested. */
const resendWait = 60

/** Step 2: the code from the mail. */
export function CodeStep({ signup }: { signup: Signup }) {
  const t = useT()
  const { code, sent, sendAgain, back } = signup
  const again = async () => {
    await sendAgain()
    toasts.success(t('signup.sentAgain', { email: displayAddress(sent?.email ?? '') }))
  }
  return (
    <StepFrame
      signup={signup}
      form={code}
      title={t('signup.codeTitle')}
      lead={rich(t('signup.codeLead', { email: displayAddress(sent?.email ?? '') }), {
        b: (words) => <b>{words}</b>,
      })}
      submit={t('words.continue')}
      busyLabel={t('words.checking')}
    >
      <CodeField
        {...code.field('short_code')}
        label={t('words.confirmationCode')}
        hint={t('signup.codeHint')}
        required
      />
      <div className="row wrap">
        <WaitButton
          label={t('words.sendAgain')}
          waiting={(seconds) => t('words.sendAgainIn', { seconds })}
          wait={resendWait}
          onPress={again}
        />
        <Button variant="quiet" onPress={back}>
          {t('signup.changeAddress')}
        </Button>
      </div>
    </StepFrame>
  )
}
