import { displayAddress } from '@gatehouse/contract/canonical-address'
import type { AccountOffer } from '@gatehouse/contract/directory/controllers'
import IconCheck from '@tabler/icons-react/dist/esm/icons/IconCheck.mjs'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { day } from '../../i18n/format.ts'
import { useT } from '../../i18n/i18n.ts'
import { ApiError } from '../../platform/api/api-error.ts'
import { useApi } from '../../platform/api/query.tsx'
import { useAct } from '../../platform/api/use-act.ts'
import { showErrorPage } from '../../platform/error-page-store.ts'
import { navigation } from '../../platform/navigation/navigation.ts'
import { useUser } from '../../platform/session/auth.ts'
import { reloadUser } from '../../platform/session/session.ts'
import { useParams } from '../../router/router-context.tsx'
import { Button, ButtonLink } from '../../ui/buttons/button.tsx'
import { LoadFailed } from '../../ui/page/load-failed.tsx'
import { PageHead } from '../../ui/page/page-head.tsx'
import { Panel } from '../../ui/page/panel.tsx'
import { SkeletonRows } from '../../ui/page/skeleton.tsx'

/** The offer behind an e-mailed link, for its recipient. */
export function AccountOfferPage() {
  const t = useT()
  const email = displayAddress(useUser()?.email ?? '')
  // Parameters are untyped without registered routes.
  const { code = '' } = useParams()
  const query = useApi('GET /api/v4/account-offers/{code}', { params: { code } })
  const { data, error } = query
  const isGone = error instanceof ApiError && error.status === 404
  useEffect(() => {
    if (isGone) showErrorPage(error, t('owners.offerGone', { email }))
  }, [isGone, error, t, email])
  if (isGone) return null
  return (
    <>
      <PageHead title={t('title.accountOffer')} facts={email} />
      {data && <Offer code={code} offer={data} />}
      {query.isPending && <SkeletonRows count={2} />}
      {query.isError && <LoadFailed onRetry={query.refetch} />}
    </>
  )
}

function Offer({ code, offer }: { code: string; offer: AccountOffer }) {
  const t = useT()
  const client = useQueryClient()
  const { kind, account, from, heir, expires_at: until } = offer
  const texts = offerTexts[kind]
  const facts = { account, from: from ?? '', heir: heir ?? '' }
  const take = useAct('POST /api/v4/account-offers/{code}/accept')
  const accept = async () => {
    await take({ params: { code }, body: {} })
    await reloadUser()
    navigation().go('/dashboard')
    await client.invalidateQueries({ refetchType: 'none' })
  }
  return (
    <Panel
      title={t(texts.title, facts)}
      footer={
        <span className="row">
          <Button variant="primary" icon={IconCheck} onPress={accept}>
            {t(texts.act)}
          </Button>
          <ButtonLink to="/dashboard">{t('owners.notNow')}</ButtonLink>
        </span>
      }
    >
      <div className="stack">
        <p>{t(from === null ? 'owners.offerSupport' : texts.intro, facts)}</p>
        <p>{t(texts.effect, facts)}</p>
        <p className="small text-2">{t('owners.offerUntil', { date: day(until) })}</p>
      </div>
    </Panel>
  )
}

const offerTexts = {
  controller: {
    title: 'owners.offerTitle',
    intro: 'owners.offerFrom',
    effect: 'owners.offerEffect',
    act: 'owners.accept',
  },
  give: {
    title: 'owners.giveTitle',
    intro: 'owners.giveText',
    effect: 'owners.giveEffect',
    act: 'words.confirm',
  },
  take: {
    title: 'owners.takeTitle',
    intro: 'owners.takeText',
    effect: 'owners.takeEffect',
    act: 'owners.takeDo',
  },
} as const
