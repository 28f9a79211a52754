import type { HeldMessage } from '@gatehouse/contract/mail/mail-acts'
import { isMailReason } from '@gatehouse/contract/mail/mail-reasons'
import IconSend from '@tabler/icons-react/dist/esm/icons/IconSend.mjs'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import { useState } from 'react'
import { reasonTexts } from '../../domain/mail-trace/reason-texts.ts'
import { shownAddress, shownRecipients } from '../../domain/mail-trace/shown-address.ts'
import { moment, toDate } from '../../i18n/format.ts'
import { useT } from '../../i18n/i18n.ts'
import { useApi } from '../../platform/api/query.tsx'
import { useAct } from '../../platform/api/use-act.ts'
import { hasPermission } from '../../platform/session/auth.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { Panel } from '../../ui/page/panel.tsx'

const changed = ['GET /api/v4/mail/held', 'GET /api/v4/mail/messages'] as const

/** Outgoing messages that wait for a decision of the account's owner; nothing if there are none. */
export function HeldMessages() {
  const t = useT()
  const mayDecide = hasPermission('settings')
  const { data } = useApi('GET /api/v4/mail/held', {}, { enabled: mayDecide })
  if (!mayDecide || data === undefined || data.list.length === 0) return null
  return (
    <Panel title={t('mailtrace.heldTitle', { count: data.list.length })}>
      <p className="text-2">{t('mailtrace.heldText')}</p>
      <ul className="mail-held">
        {data.list.map((message) => (
          <Held key={message.id} message={message} />
        ))}
      </ul>
    </Panel>
  )
}

function Held({ message }: { message: HeldMessage }) {
  const t = useT()
  const release = useAct('POST /api/v4/mail/held/{id}/release', changed)
  const discard = useAct('POST /api/v4/mail/held/{id}/discard', changed)
  const [isAsked, setAsked] = useState(false)
  const { id, sender, recipients, recipientCount, reason, heldAt } = message
  const params = { id }
  const [first, ...others] = recipients
  const people =
    first === undefined || recipientCount <= recipients.length
      ? shownRecipients(recipients)
      : t('mailtrace.andMore', {
          first: shownAddress(first),
          count: others.length + recipientCount - recipients.length,
        })
  return (
    <li>
      <div>
        <span className="mail-people">
          {t('mailtrace.fromTo', { sender: shownAddress(sender), recipients: people })}
        </span>
        <span className="small text-3">
          <time dateTime={toDate(heldAt).toISOString()}>{moment(heldAt)}</time>
          {isMailReason(reason) && ` · ${t(reasonTexts[reason])}`}
        </span>
      </div>
      <span className="mail-acts">
        <Button size="small" icon={IconSend} onPress={() => release({ params })}>
          {t('mailtrace.release')}
        </Button>
        <Button size="small" variant="quiet" icon={IconTrash} onPress={() => setAsked(true)}>
          {t('mailtrace.discard')}
        </Button>
      </span>
      {isAsked && (
        <Dialog
          open
          title={t('mailtrace.discardTitle', { count: recipientCount })}
          cancelFocus
          onClose={() => setAsked(false)}
          actions={[
            {
              ...{ preset: 'delete', label: t('mailtrace.discardNow') },
              onPress: () => discard({ params }),
            },
          ]}
        >
          <p>{t('mailtrace.discardText')}</p>
        </Dialog>
      )}
    </li>
  )
}
