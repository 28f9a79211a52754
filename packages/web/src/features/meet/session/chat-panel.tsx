import { maxChatLength } from '@gatehouse/contract/meetings/meet-rules'
import IconSend from '@tabler/icons-react/dist/esm/icons/IconSend.mjs'
import { type KeyboardEvent, useEffect, useId, useLayoutEffect, useRef, useState } from 'react'
import { day } from '../../../i18n/format.ts'
import { useT } from '../../../i18n/i18n.ts'
import { Button } from '../../../ui/buttons/button.tsx'
import { chatPieces } from '../room/chat-text.ts'
import { type ChatGroup, chatGroups } from '../room/room-views.ts'
import { useMeeting, useRoom } from './meeting-context.ts'

/** Distance from the end, in pixels, that counts as scrolled to the end. */
const nearEnd = 40

/** Chat messages with an input field. Scrolling up stops following new messages. */
export function ChatPanel() {
  const t = useT()
  const { chat, me } = useRoom()
  const list = useRef<HTMLDivElement>(null)
  const isAtEnd = useRef(true)
  const last = chat.at(-1)
  useLayoutEffect(() => {
    const element = list.current
    if (element && (isAtEnd.current || last?.peerId === me)) element.scrollTop = element.scrollHeight
  }, [last, me])
  return (
    <>
      <div
        ref={list}
        className="stage-chat"
        role="log"
        aria-label={t('meeting.chat')}
        aria-live="off"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard
        tabIndex={0}
        onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) => {
          isAtEnd.current = scrollHeight - scrollTop - clientHeight < nearEnd
        }}
      >
        {chat.length === 0 && <p className="stage-quiet">{t('meeting.chatEmpty')}</p>}
        {chatGroups(chat).map((group) => (
          <Group key={group.id} group={group} isOwn={group.peerId === me} />
        ))}
      </div>
      <Compose />
    </>
  )
}

function Group({ group, isOwn }: { group: ChatGroup; isOwn: boolean }) {
  const t = useT()
  return (
    <div className="stage-group">
      <p className="small">
        <bdi>{isOwn ? t('words.you') : group.nickname || t('meeting.nameless')}</bdi>{' '}
        <time dateTime={group.sentAt}>{day(group.sentAt, { timeStyle: 'short' })}</time>
      </p>
      {group.messages.map(({ id, message }) => (
        <p key={id} className="stage-message" dir="auto">
          <MessageText text={message} />
        </p>
      ))}
    </div>
  )
}

/** Renders text as text and addresses as links; messages are never parsed as HTML. */
function MessageText({ text }: { text: string }) {
  return chatPieces(text).map((piece, index) =>
    piece.kind === 'text' ? (
      piece.text
    ) : (
      <a
        // biome-ignore lint/suspicious/noArrayIndexKey: messages never change
        key={index}
        href={piece.href}
        target="_blank"
        rel="noopener noreferrer nofollow"
        title={piece.isShortened ? piece.href : undefined}
      >
        {piece.text}
      </a>
    ),
  )
}

function Compose() {
  const t = useT()
  const meeting = useMeeting()
  const { isConnected } = useRoom()
  const field = useRef<HTMLTextAreaElement>(null)
  const reasonId = useId()
  const [text, setText] = useState('')
  useEffect(() => field.current?.focus(), [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: the height of the field depends on its text
  useLayoutEffect(() => {
    const element = field.current
    if (!element) return
    element.style.height = 'auto'
    element.style.height = `${Math.min(element.scrollHeight + 2, 140)}px`
  }, [text])

  const send = async () => {
    const message = text.trim()
    if (!message || !isConnected) return
    setText('')
    // Keep unsent text.
    if (!(await meeting.ask('chatMessage', { message }))) setText((now) => now || message)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    void send()
  }
  return (
    <form
      className="stage-compose"
      onSubmit={(event) => {
        event.preventDefault()
        void send()
      }}
    >
      <textarea
        ref={field}
        className="input"
        rows={1}
        aria-label={t('words.message')}
        placeholder={t('meeting.messagePlaceholder')}
        maxLength={maxChatLength}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={onKeyDown}
      />
      <Button
        type="submit"
        variant="primary"
        icon={IconSend}
        label={t('words.send')}
        disabled={!isConnected}
        aria-describedby={isConnected ? undefined : reasonId}
      />
      {!isConnected && (
        <p id={reasonId} className="stage-compose-reason">
          {t('meeting.chatOffline')}
        </p>
      )}
    </form>
  )
}
