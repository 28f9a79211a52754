import type { PeerInfo } from '@gatehouse/contract/meetings/meet-signalling'
import IconCrown from '@tabler/icons-react/dist/esm/icons/IconCrown.mjs'
import IconHeadphones from '@tabler/icons-react/dist/esm/icons/IconHeadphones.mjs'
import IconUser from '@tabler/icons-react/dist/esm/icons/IconUser.mjs'
import { useT } from '../../../../i18n/i18n.ts'
import { Icon } from '../../../../ui/icon.tsx'
import { isInterpreter, isModerator } from '../../room/roles.ts'

/** Crown: moderator. Headphones: interpreter. Otherwise a person. */
export function PersonIcon({ peer }: { peer: PeerInfo }) {
  const t = useT()
  if (isInterpreter(peer)) {
    return <Icon of={IconHeadphones} size="small" label={t('meeting.isInterpreter')} />
  }
  if (isModerator(peer)) return <Icon of={IconCrown} size="small" label={t('meeting.isModerator')} />
  return <Icon of={IconUser} size="small" />
}

/** The displayed name with status information. */
export function useNameOf(peer: PeerInfo, isOwn: boolean): string {
  const t = useT()
  const name = peer.nickname || t('meeting.nameless')
  const shown = peer.language
    ? t('meeting.nameWithLanguage', { name, language: peer.language.toUpperCase() })
    : name
  return isOwn ? t('meeting.you', { name: shown }) : shown
}
