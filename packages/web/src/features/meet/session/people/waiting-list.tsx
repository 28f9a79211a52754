import type { Knock } from '@gatehouse/contract/meetings/meet-signalling'
import IconUser from '@tabler/icons-react/dist/esm/icons/IconUser.mjs'
import { useT } from '../../../../i18n/i18n.ts'
import { Button } from '../../../../ui/buttons/button.tsx'
import { Icon } from '../../../../ui/icon.tsx'
import { useMeeting, useRoom } from '../meeting-context.ts'

/** People waiting at the locked door, for moderators. */
export function WaitingList() {
  const t = useT()
  const { knocks } = useRoom()
  if (knocks.length === 0) return null
  return (
    <section className="stage-waiting" aria-label={t('meeting.waiting')}>
      <header className="row">
        <h2>{t('meeting.waiting')}</h2>
        <span className="spacer" />
        <span className="small">{knocks.length}</span>
      </header>
      <ul>
        {knocks.map((knock) => (
          <Waiting key={knock.requestId} knock={knock} />
        ))}
      </ul>
    </section>
  )
}

function Waiting({ knock: { requestId, nickname, picture } }: { knock: Knock }) {
  const t = useT()
  const meeting = useMeeting()
  return (
    <li>
      {/^data:image\/(png|svg\+xml);base64,./.test(picture) ? (
        <img src={picture} alt="" width={32} height={32} />
      ) : (
        <span className="stage-nobody">
          <Icon of={IconUser} />
        </span>
      )}
      <bdi className="stage-waiting-name spacer">{nickname || t('meeting.nameless')}</bdi>
      <Button size="small" onPress={() => meeting.ask('moderator:joinRequestDeny', { requestId })}>
        {t('words.deny')}
        <span className="visually-hidden"> {nickname}</span>
      </Button>
      <Button
        size="small"
        variant="primary"
        onPress={() => meeting.ask('moderator:joinRequestAccept', { requestId })}
      >
        {t('meeting.accept')}
        <span className="visually-hidden"> {nickname}</span>
      </Button>
    </li>
  )
}
