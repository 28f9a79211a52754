import IconClock from '@tabler/icons-react/dist/esm/icons/IconClock.mjs'
import IconLock from '@tabler/icons-react/dist/esm/icons/IconLock.mjs'
import type { MessageKey } from '../../../i18n/areas.ts'
import { useT } from '../../../i18n/i18n.ts'
import type { Glyph } from '../../../ui/icon.tsx'
import { Note, type NoteTone } from '../../../ui/page/note.tsx'
import type { DoorStand, DoorState } from './door-state.ts'

interface Words {
  tone: NoteTone
  icon?: Glyph
  title: MessageKey
  text: MessageKey
}

const words: Partial<Record<DoorStand, Words>> = {
  closed: { tone: 'info', icon: IconClock, title: 'meet.closedTitle', text: 'meet.closedText' },
  opens: { tone: 'info', title: 'meet.opensTitle', text: 'meet.opensText' },
  password: { tone: 'info', icon: IconLock, title: 'meet.passwordTitle', text: 'meet.passwordText' },
  name: { tone: 'info', icon: IconLock, title: 'meet.lockedTitle', text: 'meet.lockedText' },
  waiting: { tone: 'info', icon: IconClock, title: 'meet.waitingTitle', text: 'meet.waitingText' },
  denied: { tone: 'danger', title: 'meet.deniedTitle', text: 'meet.deniedText' },
  banned: { tone: 'danger', title: 'meet.bannedTitle', text: 'meet.bannedText' },
  throttled: { tone: 'warning', title: 'meet.throttledTitle', text: 'meet.throttledText' },
  failed: { tone: 'danger', title: 'meet.failedTitle', text: 'meet.failedText' },
}

/** The room's state in words. The live region is rendered before its text, so that it is announced. */
export function DoorNote({ door }: { door: DoorState }) {
  const t = useT()
  const found = words[door.stand]
  return (
    <div role="status" className="meet-door">
      {door.stand === 'checking' && (
        <p className="row text-2">
          <span className="spinner" aria-hidden="true" />
          {t('meet.checking')}
        </p>
      )}
      {door.stand === 'in' && (
        <p className="row text-2">
          <span className="spinner" aria-hidden="true" />
          {t(door.isAdmitted ? 'meet.admitted' : 'meet.connecting')}
        </p>
      )}
      {found && (
        <Note tone={found.tone} icon={found.icon} title={t(found.title)}>
          <p className="small text-2">{t(found.text, { seconds: door.wait ?? 0 })}</p>
        </Note>
      )}
    </div>
  )
}
