import IconArrowLeft from '@tabler/icons-react/dist/esm/icons/IconArrowLeft.mjs'
import IconLogin2 from '@tabler/icons-react/dist/esm/icons/IconLogin2.mjs'
import IconMail from '@tabler/icons-react/dist/esm/icons/IconMail.mjs'
import IconUsers from '@tabler/icons-react/dist/esm/icons/IconUsers.mjs'
import type { ReactNode } from 'react'
import { useT } from '../../i18n/i18n.ts'
import { rich } from '../../i18n/rich-text.tsx'
import { canContactSupport } from '../../platform/config.ts'
import { Link } from '../../router/link.tsx'
import { Button } from '../../ui/buttons/button.tsx'
import { useFocusFirst } from '../../ui/form/use-focus-first.ts'
import type { Form } from '../../ui/form/use-form.ts'
import { useDocumentTitle } from '../../ui/page/document-title.ts'
import { Entrance, Way } from '../../ui/page/entrance.tsx'
import { Steps } from '../../ui/page/steps.tsx'
import { type Reset, step } from './use-reset.ts'
import './reset.css'

export interface StepFrameProps {
  reset: Reset
  form: Pick<Form<unknown>, 'props' | 'busy'>
  title: string
  lead: ReactNode
  /** Undefined: no submit button. */
  submit?: string
  busyLabel: string
  /** The fields. */
  children: ReactNode
}

/** Common frame of the steps: title, progress, form with buttons, and hints. */
export function StepFrame({ reset, form, title, lead, submit, busyLabel, children }: StepFrameProps) {
  const t = useT()
  const { shown, back, finished } = reset
  const count = t('reset.step', { step: shown })
  const names = [t('words.address'), t('words.confirmation'), t('words.newPassword')]
  useDocumentTitle(title)
  useFocusFirst(form.props.ref)

  return (
    <Entrance
      title={title}
      over={<Steps names={names} current={shown - 1} />}
      lead={lead}
      aside={<GoodToKnow />}
    >
      <form {...form.props} className="stack" aria-label={`${title}, ${count}`}>
        {children}
        <div className="reset-buttons">
          {shown !== step.email && (
            <Button size="large" icon={IconArrowLeft} onPress={back} disabled={form.busy || finished}>
              {t('words.back')}
            </Button>
          )}
          {submit && (
            <Button
              type="submit"
              variant="primary"
              size="large"
              busy={form.busy || finished}
              busyLabel={busyLabel}
            >
              {submit}
            </Button>
          )}
        </div>
      </form>
    </Entrance>
  )
}

function GoodToKnow() {
  const t = useT()
  const support = { link: (words: string) => <Link to="/support/contact">{words}</Link> }
  const help = canContactSupport() ? rich(t('reset.managedText'), support) : t('reset.managedOnly')
  const login = { link: (words: string) => <Link to="/login">{words}</Link> }
  return (
    <aside aria-label={t('words.goodToKnow')}>
      <ul className="ways">
        <Way icon={IconMail} title={t('reset.where')} text={t('reset.whereText')} />
        <Way icon={IconUsers} title={t('reset.managed')} text={help} />
        <Way icon={IconLogin2} title={t('reset.remembered')} text={rich(t('reset.rememberedText'), login)} />
      </ul>
    </aside>
  )
}
