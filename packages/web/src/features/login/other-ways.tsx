import IconMail from '@tabler/icons-react/dist/esm/icons/IconMail.mjs'
import IconUser from '@tabler/icons-react/dist/esm/icons/IconUser.mjs'
import IconVideo from '@tabler/icons-react/dist/esm/icons/IconVideo.mjs'
import { useT } from '../../i18n/i18n.ts'
import { config } from '../../platform/config.ts'
import { useNavigate } from '../../router/router-context.tsx'
import { Button, ButtonLink } from '../../ui/buttons/button.tsx'
import { TextField } from '../../ui/fields/text-field.tsx'
import { useForm } from '../../ui/form/use-form.ts'
import { Way } from '../../ui/page/entrance.tsx'

/** Alternatives for visitors without an account. */
export function OtherWays() {
  const t = useT()
  const webmail = config['app.webmail_url']
  return (
    <aside aria-label={t('login.otherWays')}>
      <ul className="ways">
        {config['app.with_signup'] && (
          <Way icon={IconUser} title={t('login.newHere')} text={t('login.newHereText')}>
            <ButtonLink to="/signup">{t('login.plans')}</ButtonLink>
          </Way>
        )}
        <Way icon={IconVideo} title={t('login.invited')} text={t('login.invitedText')}>
          <RoomForm />
        </Way>
        {webmail && (
          <Way
            icon={IconMail}
            title={t('words.webmail')}
            text={
              <>
                {t('login.webmailText')}{' '}
                <a href={webmail} className="nowrap">
                  {t('words.openWebmail')}
                </a>
              </>
            }
          />
        )}
      </ul>
    </aside>
  )
}

function RoomForm() {
  const t = useT()
  const navigate = useNavigate()
  const form = useForm({
    initial: { room: '' },
    submit: ({ room }) => navigate({ to: `/meet/${encodeURIComponent(room.trim())}` }),
  })
  return (
    <form {...form.props} className="room-form">
      <TextField
        {...form.field('room')}
        label={t('login.room')}
        hideLabel
        placeholder={t('login.roomExample')}
        exact
        required
      />
      <Button type="submit">{t('login.goToRoom')}</Button>
    </form>
  )
}
