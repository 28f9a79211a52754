import type { PriceChangeInput, PriceChangePreview } from '@gatehouse/contract/billing/price-changes'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { number, price, signedPrice } from '../../i18n/format.ts'
import { type Translate, useT } from '../../i18n/i18n.ts'
import { call } from '../../platform/api/api.ts'
import { ApiError } from '../../platform/api/api-error.ts'
import { useListPlace } from '../../ui/data-table/list-place.ts'
import { type Fact, Facts } from '../../ui/facts/facts.tsx'
import { LoadFailed } from '../../ui/page/load-failed.tsx'
import { Note } from '../../ui/page/note.tsx'
import { Panel } from '../../ui/page/panel.tsx'
import { ConcernedWallets } from './concerned-wallets.tsx'

export type PreviewFacts = Pick<PriceChangePreview, 'individual' | 'earliest' | 'wallets'>

const options = { sorts: ['difference'], filters: {} } as const
/** How long what is typed must rest before it is asked about, in milliseconds. */
const rest = 400

/** What a change that is being typed would mean; the table of accounts is read a page at a time. */
export function useChangePreview(
  /** Undefined: nothing can be asked yet. */
  body: PriceChangeInput | undefined,
  onFacts: (facts: PreviewFacts) => void,
) {
  const navigation = useListPlace(options)
  const { page, size } = navigation.place
  const asked = useRested(body === undefined ? undefined : JSON.stringify(body))
  const query = useQuery({
    queryKey: ['price change preview', asked, page, size],
    queryFn: ({ signal }) => {
      // what rested is a body that was written as a text
      const rested = JSON.parse(asked ?? '{}') as PriceChangeInput
      return call('POST /api/v4/price-changes/preview', {
        body: { ...rested, page, size },
        ignoreErrors: true,
        signal,
      })
    },
    enabled: asked !== undefined,
    placeholderData: keepPreviousData,
    retry: false,
    gcTime: 0,
  })
  const { data, error } = query
  useEffect(() => {
    if (data) onFacts(data)
  }, [data, onFacts])
  const shown = asked === undefined || error ? undefined : data
  return { isAsked: asked !== undefined, shown, query, navigation }
}

type Preview = ReturnType<typeof useChangePreview>

/** Whom a change concerns and by how much, in sums, or why it can't be made. */
export function PreviewSums({ preview: { isAsked, shown, query } }: { preview: Preview }) {
  const t = useT()
  const { error } = query
  if (isAsked && error) {
    const lines = error instanceof ApiError ? sentences(error) : []
    return lines.length > 0 ? (
      <Note tone="warning" live>
        {lines.join(' ')}
      </Note>
    ) : (
      <LoadFailed onRetry={query.refetch} />
    )
  }
  return (
    <Panel title={t('words.preview')}>
      {shown ? (
        <Facts facts={sumsOf(t, shown)} />
      ) : (
        <p className="small text-2">{t('pricechanges.previewEmpty')}</p>
      )}
    </Panel>
  )
}

/** The accounts that a change concerns. */
export function PreviewAccounts({ preview: { shown, query, navigation } }: { preview: Preview }) {
  if (!shown) return null
  const { currency } = shown
  return <ConcernedWallets query={query} navigation={navigation} currency={currency} />
}

function sumsOf(
  t: Translate,
  { wallets, subscriptions, before, after, currency }: PriceChangePreview,
): Fact[] {
  return [
    { label: t('pricechanges.accounts'), value: number(wallets) },
    { label: t('pricechanges.subscriptions'), value: number(subscriptions) },
    {
      label: t('pricechanges.monthly'),
      value: t('words.fromTo', { from: price(before, currency), to: price(after, currency) }),
    },
    { label: t('pricechanges.difference'), value: signedPrice(after - before, currency) },
  ]
}

/** What the server says about the fields, one sentence after the other. */
function sentences({ errors = {} }: ApiError): string[] {
  return Object.values(errors).flatMap((one) => (typeof one === 'string' ? [one] : Object.values(one)))
}

/** A value once it has not changed for a moment. */
function useRested<T>(value: T): T {
  const [rested, setRested] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), rest)
    return () => clearTimeout(timer)
  }, [value])
  return rested
}
