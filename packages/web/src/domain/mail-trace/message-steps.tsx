import { isMailReason } from '@gatehouse/contract/mail/mail-reasons'
import type {
  MailDecisionStep,
  MailEvent,
  MailLogStep,
  MailStep,
  TracedMessage,
} from '@gatehouse/contract/mail/mail-trace'
import type { MessageKey } from '../../i18n/areas.ts'
import { moment, toDate } from '../../i18n/format.ts'
import { useT } from '../../i18n/i18n.ts'
import { DelayedActs, isWaiting } from './delayed-acts.tsx'
import { reasonTexts } from './reason-texts.ts'
import { shownAddress } from './shown-address.ts'
import { factWords } from './step-facts.ts'

/** The steps of a message as sentences, oldest first, what `canAct` people can do, and how mail servers call it. */
export function MessageSteps({ message, canAct }: { message: TracedMessage; canAct: boolean }) {
  const t = useT()
  const { steps, recipients, messageId, queueIds } = message
  return (
    <div className="mail-steps">
      <ol aria-label={t('mailtrace.stepsOf', { sender: shownAddress(message.sender) })}>
        {steps.map((step, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: steps are only added at the end
          <li key={index} className={`mail-step mail-step-${toneOf(step)}`}>
            <time className="small text-3 nowrap" dateTime={toDate(step.at).toISOString()}>
              {moment(step.at)}
            </time>
            <div>
              {step.kind === 'decision' ? <Decision step={step} /> : <Logged step={step} />}
              {recipients.length > 1 && step.recipient !== null && (
                <span className="small text-3">
                  {t('mailtrace.forRecipient', { recipient: shownAddress(step.recipient) })}
                </span>
              )}
            </div>
          </li>
        ))}
      </ol>
      {canAct && isWaiting(message) && <DelayedActs message={message} />}
      <Names label={t('mailtrace.messageId')} names={messageId === null ? [] : [messageId]} />
      <Names label={t('mailtrace.queueIds')} names={queueIds} />
    </div>
  )
}

function Decision({ step: { reason, code, client, facts } }: { step: MailDecisionStep }) {
  const t = useT()
  const details = [
    ...factWords(facts),
    client !== null && t('mailtrace.fromClient', { client }),
    code !== null && t('mailtrace.code', { code }),
  ].filter((detail) => detail !== false)
  return (
    <>
      <span>{isMailReason(reason) ? t(reasonTexts[reason]) : t('mailtrace.unknownReason')}</span>
      <span className="small text-3">{details.join(' · ')}</span>
    </>
  )
}

const eventTexts: Readonly<Record<MailEvent, MessageKey>> = {
  received: 'mailtrace.logReceived',
  queued: 'mailtrace.logQueued',
  sent: 'mailtrace.logSent',
  deferred: 'mailtrace.logDeferred',
  bounced: 'mailtrace.logBounced',
  expired: 'mailtrace.logExpired',
  notified: 'mailtrace.logNotified',
  held: 'mailtrace.logHeld',
  released: 'mailtrace.logReleased',
  removed: 'mailtrace.logRemoved',
}

function Logged({ step: { event, server, client, relay, response } }: { step: MailLogStep }) {
  const t = useT()
  const from = client !== null && t('mailtrace.fromClient', { client })
  const details = [from, relay !== 'none' && relay, response].filter(Boolean)
  return (
    <>
      <span>{t(eventTexts[event], { server })}</span>
      {details.length > 0 && <span className="small text-3">{details.join(' · ')}</span>}
    </>
  )
}

/** Colour of a step by what it means for the message. */
function toneOf(step: MailStep): 'muted' | 'success' | 'warning' | 'danger' {
  if (step.kind === 'log') {
    if (step.event === 'sent') return 'success'
    if (step.event === 'bounced' || step.event === 'expired') return 'danger'
    return step.event === 'deferred' || step.event === 'held' ? 'warning' : 'muted'
  }
  if (step.action === 'reject') return 'danger'
  return step.action === 'defer' || step.action === 'hold' ? 'warning' : 'muted'
}

function Names({ label, names }: { label: string; names: readonly string[] }) {
  const t = useT()
  if (names.length === 0) return null
  return (
    <p className="small text-3 mail-names">{t('mailtrace.fact', { name: label, value: names.join(', ') })}</p>
  )
}
