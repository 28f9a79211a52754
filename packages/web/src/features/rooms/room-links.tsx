import IconVideo from '@tabler/icons-react/dist/esm/icons/IconVideo.mjs'
import { useT } from '../../i18n/i18n.ts'
import { meetingAddress, meetingPath } from '../../platform/navigation/meeting-address.ts'
import { CopyButton } from '../../ui/buttons/copy-button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { toasts } from '../../ui/toasts/store.ts'

interface RoomLinkProps {
  name: string
  size?: 'small'
}

/** Opens the meeting in a new tab, so that the portal's page stays. */
export function EnterLink({ name, size, primary = false }: RoomLinkProps & { primary?: boolean }) {
  const t = useT()
  const looks = ['button', primary ? 'button-primary' : 'button-default', size && 'button-small']
  return (
    <a
      href={meetingPath(name)}
      target="_blank"
      rel="noopener"
      className={looks.filter(Boolean).join(' ')}
      aria-label={t('rooms.enterName', { name })}
    >
      <Icon of={IconVideo} size="small" />
      <span>{t('rooms.enter')}</span>
    </a>
  )
}

/** Copies the URL for inviting people. */
export function CopyLink({ name, size }: RoomLinkProps) {
  const t = useT()
  return (
    <CopyButton
      text={meetingAddress(name)}
      label={t('words.copyLink')}
      copied={t('words.copied')}
      size={size}
      onRefused={() => toasts.info(meetingAddress(name), { title: t('rooms.copyRefused') })}
    />
  )
}
