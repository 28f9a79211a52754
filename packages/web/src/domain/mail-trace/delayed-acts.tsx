import type { TracedMessage } from '@gatehouse/contract/mail/mail-trace'
import IconCircleCheck from '@tabler/icons-react/dist/esm/icons/IconCircleCheck.mjs'
import IconUserCheck from '@tabler/icons-react/dist/esm/icons/IconUserCheck.mjs'
import { useT } from '../../i18n/i18n.ts'
import { call } from '../../platform/api/api.ts'
import { useAct } from '../../platform/api/use-act.ts'
import { useUser } from '../../platform/session/auth.ts'
import { Button } from '../../ui/buttons/button.tsx'

/** Whether someone can help a message along: one that waits, from a sender whose address is known. */
export function isWaiting({ direction, outcome, sender, recipients }: TracedMessage): boolean {
  const isKnown = sender !== '' && !sender.startsWith('~')
  return direction === 'in' && outcome === 'delayed' && isKnown && recipients.length === 1
}

/** What the recipient of a delayed message can do. */
export function DelayedActs({ message }: { message: TracedMessage }) {
  const t = useT()
  const user = useUser()
  const accept = useAct('POST /api/v4/mail/let-through')
  const allow = useAct('POST /api/v4/mail/allowed-senders', ['GET /api/v4/mail/allowed-senders'])
  const [recipient = ''] = message.recipients
  const body = { recipient, sender: message.sender }
  const undo = () => call('POST /api/v4/mail/allowed-senders/remove', { body })
  return (
    <div className="mail-acts">
      <Button size="small" icon={IconCircleCheck} onPress={() => accept({ body })}>
        {t('mailtrace.letThrough')}
      </Button>
      {recipient === user?.email && (
        <Button size="small" icon={IconUserCheck} onPress={() => allow({ body }, { undo })}>
          {t('mailtrace.alwaysAllow')}
        </Button>
      )}
      <span className="small text-3">{t('mailtrace.letThroughHint')}</span>
    </div>
  )
}
