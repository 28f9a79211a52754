import { displayAddress } from '@gatehouse/contract/canonical-address'
import type { ApproveAnswer } from '@gatehouse/contract/sessions/oauth'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import { useT } from '../../i18n/i18n.ts'
import { ApiError } from '../../platform/api/api-error.ts'
import { reportError } from '../../platform/api/report-error.ts'
import { showErrorPage } from '../../platform/error-page-store.ts'
import { navigation, rememberTarget } from '../../platform/navigation/navigation.ts'
import { useFocusWhenReady } from '../../platform/navigation/screen-focus.ts'
import { logout } from '../../platform/session/session.ts'
import { useLocation } from '../../router/router-context.tsx'
import { Button } from '../../ui/buttons/button.tsx'
import { useLoading } from '../../ui/page/page-loader.tsx'
import { Loading, Skeleton } from '../../ui/page/skeleton.tsx'
import { ClaimList } from './claim-list.tsx'
import { approve, leaveFor } from './oauth-calls.ts'
import { OAuthCard } from './oauth-card.tsx'

type Prompt = Extract<ApproveAnswer, { status: 'prompt' }>

/** Asks the user for consent to an application's request; specification "Authorize screen". */
export function AuthorizePage() {
  const search = useLocation().searchStr
  const { answer, leave } = useAnswer(search)
  const isPrompt = answer?.status === 'prompt'
  useFocusWhenReady(isPrompt)
  return isPrompt ? <Consent prompt={answer} search={search} leave={leave} /> : <OnTheWay />
}

/** The response to the silent request; everything but a prompt redirects. */
function useAnswer(search: string) {
  const [isLeaving, setLeaving] = useState(false)
  const leave = (address: string) => {
    setLeaving(true)
    leaveFor(address, search)
  }
  // Codes can be used only once, so responses aren't cached.
  const { data, error } = useQuery({
    queryKey: ['POST /api/oauth/approve', search],
    queryFn: () => approve(search, true),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    enabled: !isLeaving,
  })
  const follow = useEffectEvent((answer: ApproveAnswer) => {
    if (answer.status === 'success') leaveFor(answer.redirectUrl, search)
    if (answer.status === 'login') void signInAnew(search, answer.ticket)
  })
  const refuse = useEffectEvent((failure: Error) => {
    const address = failure instanceof ApiError ? failure.redirectUrl : undefined
    if (address) leaveFor(address, search)
    else showErrorPage(failure)
  })
  useEffect(() => {
    if (data) follow(data)
  }, [data])
  useEffect(() => {
    if (error) refuse(error)
  }, [error])
  return { answer: isLeaving ? undefined : data, leave }
}

/** Signs out and returns here with the ticket after the next sign-in. */
async function signInAnew(search: string, ticket: string): Promise<void> {
  const query = new URLSearchParams(search)
  query.set('ticket', ticket)
  await logout({ stay: true })
  rememberTarget(`/oauth/authorize?${query}`)
  navigation().go('/login')
}

function OnTheWay() {
  const t = useT()
  useLoading(true)
  return (
    <OAuthCard title={t('title.authorize')} facts={t('oauth.redirecting')}>
      <Loading>
        <div className="stack stack-tight">
          <Skeleton width="60%" height={16} />
          <Skeleton width="80%" />
          <Skeleton width="70%" />
        </div>
      </Loading>
    </OAuthCard>
  )
}

interface ConsentProps {
  prompt: Prompt
  search: string
  leave: (address: string) => void
}

function Consent({ prompt: { client, denyUrl }, search, leave }: ConsentProps) {
  const t = useT()
  const allow = async () => {
    try {
      const answer = await approve(search, false)
      if (answer.status === 'success') leave(answer.redirectUrl)
      if (answer.status === 'login') await signInAnew(search, answer.ticket)
    } catch (error) {
      const address = error instanceof ApiError ? error.redirectUrl : undefined
      if (address) leave(address)
      else reportError(error)
    }
  }
  return (
    <OAuthCard
      title={client.name}
      facts={displayAddress(client.email)}
      footer={
        <>
          <p className="oauth-target">{t('oauth.target', { url: shownAddress(client.url) })}</p>
          <div className="oauth-answers">
            <Button variant="danger" onPress={() => leave(denyUrl)}>
              {t('words.deny')}
            </Button>
            <Button className="oauth-allow" onPress={allow}>
              {t('words.allow')}
            </Button>
          </div>
        </>
      }
    >
      <p>{t('oauth.intro', { name: client.name })}</p>
      <ClaimList claims={client.claims} />
    </OAuthCard>
  )
}

/** Strips the query from a URL, as it means nothing to users. */
function shownAddress(address: string): string {
  const { protocol, host, pathname } = new URL(address)
  return `${protocol}//${host}${pathname}`
}
