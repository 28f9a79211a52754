import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import { shownAddress } from '../../domain/mail-trace/shown-address.ts'
import { useT } from '../../i18n/i18n.ts'
import { call } from '../../platform/api/api.ts'
import { useApi } from '../../platform/api/query.tsx'
import { useAct } from '../../platform/api/use-act.ts'
import { useUser } from '../../platform/session/auth.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { Panel } from '../../ui/page/panel.tsx'

const changed = ['GET /api/v4/mail/allowed-senders'] as const

/** The senders whose mail to the reader is never delayed; nothing if there are none. */
export function AllowedSenders() {
  const t = useT()
  const user = useUser()
  const remove = useAct('POST /api/v4/mail/allowed-senders/remove', changed)
  const { data } = useApi('GET /api/v4/mail/allowed-senders', {})
  if (user === undefined || data === undefined || data.list.length === 0) return null
  return (
    <Panel title={t('mailtrace.allowedTitle')}>
      <p className="text-2">{t('mailtrace.allowedText')}</p>
      <ul className="mail-held">
        {data.list.map((sender) => {
          const body = { recipient: user.email, sender }
          const undo = () => call('POST /api/v4/mail/allowed-senders', { body })
          return (
            <li key={sender}>
              <span className="mail-people">{shownAddress(sender)}</span>
              <span className="mail-acts">
                <Button
                  size="small"
                  variant="quiet"
                  icon={IconTrash}
                  label={t('mailtrace.removeAllowed', { sender: shownAddress(sender) })}
                  onPress={() => remove({ body }, { undo })}
                />
              </span>
            </li>
          )
        })}
      </ul>
    </Panel>
  )
}
