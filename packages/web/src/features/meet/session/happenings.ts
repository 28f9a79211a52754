import { kindOf } from '@gatehouse/contract/meetings/meet-sources'
import { useEffect, useRef, useState } from 'react'
import { type Translate, useT } from '../../../i18n/i18n.ts'
import { toasts } from '../../../ui/toasts/store.ts'
import type { Meeting } from '../room/meeting.ts'
import type { Happened, Happening } from '../room/room-state.ts'
import { chime } from './chime.ts'
import { useMeeting, useRoom } from './meeting-context.ts'

/** Maximum number of characters of a chat message announced. */
const longestRead = 160

/**
 * Announces events to screen readers, and shows those about the user in a toast. Returns the announced
 * sentence.
 */
export function useHappenings(): string {
  const t = useT()
  const meeting = useMeeting()
  const { happened } = useRoom()
  const [sentence, setSentence] = useState('')
  const last = useRef<number>(0)
  useEffect(() => {
    if (!happened || happened.id === last.current) return
    last.current = happened.id
    // oxlint-disable-next-line react/set-state-in-effect -- the sentence stays until the next event
    setSentence(sentenceOf(t, happened))
    tell(t, meeting, happened)
    if (happened.kind === 'knock') chime('knock')
    if (happened.kind === 'hand') chime('hand')
  }, [happened, t, meeting])
  return sentence
}

/** Returns the sentence to announce. */
export function sentenceOf(t: Translate, happened: Happening): string {
  switch (happened.kind) {
    case 'came':
      return t('meeting.came', { name: happened.nickname })
    case 'left':
      return t('meeting.left', { name: happened.nickname })
    case 'lost':
      return t('meeting.lostPerson', { name: happened.nickname })
    case 'kicked':
      return t('meeting.dismissed', { name: happened.nickname })
    case 'hand':
      return t('meeting.handRaised', { name: happened.nickname })
    case 'handLowered':
      return t('meeting.handLowered')
    case 'chat':
      return t('meeting.wrote', { name: happened.nickname, message: happened.message.slice(0, longestRead) })
    case 'knock':
      return t('meeting.knocks', { name: happened.nickname })
    case 'shares':
      return t('meeting.sharesScreen', { name: happened.nickname })
    case 'promoted':
      return t('meeting.promoted')
    case 'demoted':
      return t('meeting.demoted')
    case 'moderator':
      return t('meeting.nowModerator')
    case 'noModerator':
      return t('meeting.noModerator')
    case 'muted':
      return t(happened.isForced ? 'meeting.mutedBy' : 'meeting.askedToMute', {
        name: happened.by,
        what: kindOf(happened.source),
      })
    case 'options':
      return optionsSentence(t, happened)
  }
}

function optionsSentence(t: Translate, { options, before }: Extract<Happening, { kind: 'options' }>): string {
  const news = [
    options.locked !== before.locked && t(options.locked ? 'meeting.lockedNow' : 'meeting.unlockedNow'),
    options.nomedia !== before.nomedia && t(options.nomedia ? 'meeting.nomediaNow' : 'meeting.mediaNow'),
    options.requires_password !== before.requires_password &&
      t(options.requires_password ? 'meeting.passwordNow' : 'meeting.noPasswordNow'),
  ]
  return news.filter(Boolean).join(' ')
}

const personal: readonly Happened['kind'][] = ['demoted', 'moderator', 'noModerator', 'handLowered']

function tell(t: Translate, meeting: Meeting, happened: Happened): void {
  const text = sentenceOf(t, happened)
  if (personal.includes(happened.kind)) toasts.info(text)
  if (happened.kind !== 'muted') return
  if (happened.isForced) return void toasts.info(text)
  const { source } = happened
  const toast = toasts.info(text, {
    timeout: 20_000,
    actions: [
      {
        label: t('meeting.muteNow'),
        onPress: () => {
          toast.close()
          if (source === 'mic') meeting.local.setMuted('microphone', true)
          else if (source === 'cam') meeting.local.setMuted('camera', true)
          else meeting.local.stopScreen()
        },
      },
    ],
  })
}
