import { interpreterLanguages, meetRole } from '@gatehouse/contract/meetings/meet-rules'
import type { PeerInfo } from '@gatehouse/contract/meetings/meet-signalling'
import IconCrown from '@tabler/icons-react/dist/esm/icons/IconCrown.mjs'
import IconHandOff from '@tabler/icons-react/dist/esm/icons/IconHandOff.mjs'
import IconMicrophoneOff from '@tabler/icons-react/dist/esm/icons/IconMicrophoneOff.mjs'
import IconPencil from '@tabler/icons-react/dist/esm/icons/IconPencil.mjs'
import IconUserX from '@tabler/icons-react/dist/esm/icons/IconUserX.mjs'
import IconVideo from '@tabler/icons-react/dist/esm/icons/IconVideo.mjs'
import { type ReactNode, useState } from 'react'
import { type Translate, useLanguage, useT } from '../../../../i18n/i18n.ts'
import { Dialog } from '../../../../ui/dialog/dialog.tsx'
import type { Meeting } from '../../room/meeting.ts'
import { hasMenu, type PersonRights, rightsOn } from '../../room/rights.ts'
import { isModerator, isPublisher } from '../../room/roles.ts'
import { useMe, useMeeting } from '../meeting-context.ts'
import { type MenuItem, StageMenu } from '../stage/stage-menu.tsx'
import { useRenaming } from './renaming.ts'

export interface PersonMenuProps {
  peer: PeerInfo
  face: ReactNode
  className?: string
}

/** Menu of permitted actions on a person; without any, it isn't a button. */
export function PersonMenu({ peer, face, className }: PersonMenuProps) {
  const t = useT()
  const language = useLanguage()
  const meeting = useMeeting()
  const me = useMe()
  const rename = useRenaming()
  const [dismissing, setDismissing] = useState(false)
  const rights = me && rightsOn(me, peer)
  if (!rights || !hasMenu(rights)) return <span className={className}>{face}</span>
  const items = [
    ...ownItems(t, rights, rename),
    ...switches(t, meeting, peer, rights),
    ...acts(t, meeting, peer, rights, () => setDismissing(true)),
    ...(rights.language ? languages(t, meeting, peer, language) : []),
  ]
  return (
    <>
      <StageMenu
        label={t('meeting.menuOf', { name: peer.nickname })}
        face={face}
        className={className}
        items={items}
      />
      {dismissing && <DismissDialog peer={peer} onClose={() => setDismissing(false)} />}
    </>
  )
}

function ownItems(t: Translate, rights: PersonRights, rename: () => void): MenuItem[] {
  if (!rights.rename) return []
  return [{ name: 'rename', label: t('meeting.rename'), icon: IconPencil, onPress: rename }]
}

function switches(t: Translate, meeting: Meeting, peer: PeerInfo, rights: PersonRights): MenuItem[] {
  const turn = (role: typeof meetRole.publisher | typeof meetRole.moderator, isOn: boolean) => () =>
    void meeting.ask(isOn ? 'moderator:removeRole' : 'moderator:addRole', { peerId: peer.id, role })
  const items: (MenuItem | false)[] = [
    rights.publishing !== 'absent' && {
      name: 'publishing',
      kind: 'switch',
      label: t('meeting.mayPublish'),
      icon: IconVideo,
      checked: isPublisher(peer),
      onPress: turn(meetRole.publisher, isPublisher(peer)),
    },
    rights.moderation !== 'absent' && {
      name: 'moderation',
      kind: 'switch',
      label: t('meeting.mayModerate'),
      icon: IconCrown,
      checked: isModerator(peer),
      reason: rights.moderation === 'fixed' ? t('meeting.ownerModerates') : undefined,
      onPress: turn(meetRole.moderator, isModerator(peer)),
    },
  ]
  return items.filter((item) => item !== false)
}

function acts(
  t: Translate,
  meeting: Meeting,
  peer: PeerInfo,
  rights: PersonRights,
  dismiss: () => void,
): MenuItem[] {
  const peerId = peer.id
  const items: (MenuItem | false)[] = [
    rights.lowerHand && {
      name: 'hand',
      label: t('words.lowerHand'),
      icon: IconHandOff,
      onPress: () => void meeting.ask('moderator:lowerHand', { peerId }),
    },
    (rights.mute || rights.askToMute) && {
      name: 'mute',
      label: t(rights.mute ? 'meeting.muteForAll' : 'meeting.askToMute'),
      icon: IconMicrophoneOff,
      onPress: () =>
        void meeting.ask('moderator:mute', { peerId, source: 'mic', mode: rights.mute ? 'force' : 'ask' }),
    },
    rights.dismiss && {
      name: 'dismiss',
      label: t('meeting.dismiss'),
      icon: IconUserX,
      danger: true,
      onPress: dismiss,
    },
  ]
  return items.filter((item) => item !== false)
}

/** Menu entries to set or clear the language someone interprets into. */
function languages(t: Translate, meeting: Meeting, peer: PeerInfo, shown: string): MenuItem[] {
  const set = (language: string | null) => () =>
    void meeting.ask('moderator:changeLanguage', { peerId: peer.id, language })
  const item = (language: string | null, label: string, heading?: string): MenuItem => ({
    name: `language-${language ?? 'none'}`,
    kind: 'choice',
    label,
    heading,
    checked: peer.language === language,
    onPress: set(language),
  })
  return [
    item(null, t('meeting.noLanguage'), t('meeting.interprets')),
    ...interpreterLanguages.map((language) => item(language, languageName(language, shown))),
  ]
}

/** Name of a language in the displayed language. */
export function languageName(code: string, shown: string): string {
  try {
    return new Intl.DisplayNames(shown, { type: 'language' }).of(code) ?? code
  } catch {
    return code
  }
}

function DismissDialog({ peer, onClose }: { peer: PeerInfo; onClose: () => void }) {
  const t = useT()
  const meeting = useMeeting()
  return (
    <Dialog
      open
      title={t('meeting.dismissTitle', { name: peer.nickname })}
      onClose={onClose}
      cancelFocus
      actions={[
        {
          preset: 'delete',
          icon: IconUserX,
          label: t('meeting.dismissNow'),
          onPress: () => meeting.ask('moderator:kickPeer', { peerId: peer.id }),
        },
      ]}
    >
      <p>{t('meeting.dismissText')}</p>
    </Dialog>
  )
}
