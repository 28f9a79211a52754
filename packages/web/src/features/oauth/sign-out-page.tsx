import { displayAddress } from '@gatehouse/contract/canonical-address'
import { useQuery } from '@tanstack/react-query'
import { useT } from '../../i18n/i18n.ts'
import { call } from '../../platform/api/api.ts'
import { navigation } from '../../platform/navigation/navigation.ts'
import { useUser } from '../../platform/session/auth.ts'
import { logout } from '../../platform/session/session.ts'
import { useLocation } from '../../router/router-context.tsx'
import { Button, ButtonLink } from '../../ui/buttons/button.tsx'
import { Note } from '../../ui/page/note.tsx'
import { useLoading } from '../../ui/page/page-loader.tsx'
import { leaveFor } from './oauth-calls.ts'
import { OAuthCard } from './oauth-card.tsx'

/** Ends the portal session on an application's request, after confirmation. */
export function SignOutPage() {
  const t = useT()
  const query = new URLSearchParams(useLocation().searchStr)
  const request = query.get('request')
  const { data, isError, isLoading } = useQuery({
    queryKey: ['POST /api/oauth/logout', request],
    queryFn: () => call('POST /api/oauth/logout', { body: { request: request ?? '' }, ignoreErrors: true }),
    enabled: request !== null,
  })
  useLoading(isLoading)
  if (isLoading) return <OAuthCard title={t('oauth.signOut')}>{'\u00a0'}</OAuthCard>
  if (query.has('error') || isError) {
    return (
      <OAuthCard title={t('oauth.signOut')}>
        <Note tone="danger" title={t('oauth.signOutWrong')}>
          {t('oauth.signOutWrongText')}
        </Note>
        <ButtonLink to="/logout">{t('oauth.signOutAnyway')}</ButtonLink>
      </OAuthCard>
    )
  }
  return <Question client={data?.client ?? null} redirectUrl={data?.redirectUrl ?? null} />
}

interface QuestionProps {
  client: string | null
  redirectUrl: string | null
}

function Question({ client, redirectUrl }: QuestionProps) {
  const t = useT()
  const user = useUser()
  const goOn = () => {
    if (redirectUrl === null) navigation().go('/login')
    else leaveFor(redirectUrl)
  }
  const signOut = async () => {
    await logout({ stay: true })
    goOn()
  }
  return (
    <OAuthCard
      title={t('oauth.signOut')}
      facts={user && displayAddress(user.email)}
      footer={
        <div className="oauth-answers">
          {user && <ButtonLink to="/dashboard">{t('oauth.stay')}</ButtonLink>}
          <Button variant="primary" onPress={user ? signOut : goOn}>
            {t(user ? 'oauth.signOutNow' : 'words.continue')}
          </Button>
        </div>
      }
    >
      <p>{t(user ? 'oauth.signOutAsk' : 'oauth.signedOut')}</p>
      {client !== null && <p className="text-2">{t('oauth.signOutFrom', { name: client })}</p>}
    </OAuthCard>
  )
}
