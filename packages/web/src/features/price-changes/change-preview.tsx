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
/** Debounce before a preview is requested, in milliseconds. */
const rest = 400

/** Previews a change while it is being edited; the table of accounts is paged. */
export function useChangePreview(
  /** Undefined: incomplete input. */
  body: PriceChangeInput | undefined,
  onFacts: (facts: PreviewFacts) => void,
) {
  const navigation = useListPlace(options)
  const { page, size } = navigation.place
  const asked = useRested(body === undefined ? undefined : JSON.stringify(body))
  const query = useQuery({
    queryKey: ['price change preview', asked, page, size],
    queryFn: ({ signal }) => {
      // the debounced text is a serialized body
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

/** Number of affected accounts and totals of a change, or why it can't be made. */
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

/** The accounts affected by a change. */
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

/** Joins the server's field errors. */
function sentences({ errors = {} }: ApiError): string[] {
  return Object.values(errors).flatMap((one) => (typeof one === 'string' ? [one] : Object.values(one)))
}

/** Debounces a value. */
function useRested<T>(value: T): T {
  const [rested, setRested] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), rest)
    return () => clearTimeout(timer)
  }, [value])
  return rested
}
