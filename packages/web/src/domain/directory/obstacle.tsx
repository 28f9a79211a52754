import { type DirectoryKind, kinds } from '@gatehouse/contract/directory/kinds'
import type { MessageKey } from '../../i18n/areas.ts'
import { useT } from '../../i18n/i18n.ts'
import { hasPermission } from '../../platform/session/auth.ts'
import { ButtonLink } from '../../ui/buttons/button.tsx'
import { EmptyState } from '../../ui/page/empty-state.tsx'
import { Note } from '../../ui/page/note.tsx'
import type { Obstacle } from './use-creation.ts'

interface Words {
  title: MessageKey
  text: MessageKey
  action: MessageKey
  to: string
}

const words: Record<Obstacle, Words> = {
  degraded: {
    title: 'directory.degradedTitle',
    text: 'directory.degradedText',
    action: 'degraded.topUp',
    to: '/wallet',
  },
  unconfirmed: {
    title: 'directory.unconfirmedTitle',
    text: 'directory.unconfirmedText',
    action: 'directory.toDomains',
    to: '/domains',
  },
  noDomain: {
    title: 'directory.noDomainTitle',
    text: 'directory.noDomainText',
    action: 'directory.addDomain',
    to: '/domain/new',
  },
}

interface ObstacleProps {
  of: Obstacle
  kind: DirectoryKind
}

/** Shown instead of an empty list or form: why nothing can be created yet, and the next step. */
export function ObstacleState({ of: obstacle, kind }: ObstacleProps) {
  const t = useT()
  const { title, text } = words[obstacle]
  return (
    <EmptyState title={t(title)} action={<WayOn of={obstacle} />}>
      {t(text, { kind: kinds[kind].name })}
    </EmptyState>
  )
}

/** Shown above a list that isn't empty. */
export function ObstacleNote({ of: obstacle, kind }: ObstacleProps) {
  const t = useT()
  const { title, text } = words[obstacle]
  return (
    <Note
      tone={obstacle === 'degraded' ? 'warning' : 'info'}
      title={t(title)}
      actions={<WayOn of={obstacle} size="small" />}
    >
      {t(text, { kind: kinds[kind].name })}
    </Note>
  )
}

function WayOn({ of: obstacle, size }: { of: Obstacle; size?: 'small' }) {
  const t = useT()
  const { action, to } = words[obstacle]
  if (!hasPermission(obstacle === 'degraded' ? 'wallets' : 'domains')) return null
  return (
    <ButtonLink to={to} size={size}>
      {t(action)}
    </ButtonLink>
  )
}
