import IconRefresh from '@tabler/icons-react/dist/esm/icons/IconRefresh.mjs'
import { useEffect, useRef } from 'react'
import type { MessageKey } from '../../i18n/areas.ts'
import { useT } from '../../i18n/i18n.ts'
import { useLoggedIn } from '../../platform/session/auth.ts'
import { Button, ButtonLink } from '../../ui/buttons/button.tsx'
import { useDocumentTitle } from '../../ui/page/document-title.ts'
import type { EndReason } from './signalling/signalling-client.ts'

interface Words {
  title: MessageKey
  text: MessageKey
  /** Whether rejoining is possible. */
  again: boolean
}

const interrupted: Words = { title: 'meet.goneTitle', text: 'meet.goneText', again: true }
const wentWrong: Words = { title: 'meet.brokenTitle', text: 'meet.brokenText', again: true }

const words: Record<EndReason, Words> = {
  left: { title: 'meet.leftTitle', text: 'meet.leftText', again: true },
  ended: { title: 'meet.endedTitle', text: 'meet.endedText', again: true },
  kicked: { title: 'meet.kickedTitle', text: 'meet.kickedText', again: false },
  deleted: { title: 'meet.deletedTitle', text: 'meet.deletedText', again: false },
  replaced: { title: 'meet.replacedTitle', text: 'meet.replacedText', again: true },
  expired: { title: 'meet.expiredTitle', text: 'meet.expiredText', again: true },
  gone: interrupted,
  lost: { title: 'meet.lostTitle', text: 'meet.lostText', again: true },
  'engine-lost': { title: 'meet.engineTitle', text: 'meet.engineText', again: true },
  restart: interrupted,
  timeout: interrupted,
  malformed: wentWrong,
  flood: wentWrong,
}

export interface EndedScreenProps {
  room: string
  reason: EndReason
  /** Returns to the setup screen. */
  onAgain: () => void
}

/** Shows why the user left the meeting and how to continue. */
export function EndedScreen({ room, reason, onAgain }: EndedScreenProps) {
  const t = useT()
  const loggedIn = useLoggedIn()
  const heading = useRef<HTMLHeadingElement>(null)
  const { title, text, again } = words[reason]
  useDocumentTitle(t(title))
  useEffect(() => heading.current?.focus(), [])
  return (
    <section className="meet-ended stack" role="status">
      <h1 ref={heading} tabIndex={-1}>
        {t(title)}
      </h1>
      <p className="text-2">{t(text, { room })}</p>
      <p className="row wrap">
        {again && (
          <Button variant="primary" icon={IconRefresh} onPress={onAgain}>
            {t(reason === 'replaced' ? 'meet.comeHere' : 'meet.toDoor')}
          </Button>
        )}
        <ButtonLink to={loggedIn ? '/dashboard' : '/login'}>
          {t(loggedIn ? 'error.toDashboard' : 'error.toLogin')}
        </ButtonLink>
      </p>
    </section>
  )
}
