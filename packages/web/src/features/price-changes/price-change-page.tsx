import type { PriceChange } from '@gatehouse/contract/billing/price-changes'
import { displayAddress } from '@gatehouse/contract/canonical-address'
import IconX from '@tabler/icons-react/dist/esm/icons/IconX.mjs'
import { Fragment, useState } from 'react'
import { ObjectLoader } from '../../domain/directory/object-loader.tsx'
import { moment, number, price } from '../../i18n/format.ts'
import { useT } from '../../i18n/i18n.ts'
import { useApi, useApiPage } from '../../platform/api/query.tsx'
import { everything, useAct } from '../../platform/api/use-act.ts'
import { useParams } from '../../router/router-context.tsx'
import { Button } from '../../ui/buttons/button.tsx'
import { useListPlace } from '../../ui/data-table/list-place.ts'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { type Fact, Facts } from '../../ui/facts/facts.tsx'
import { Chip } from '../../ui/facts/status-chip.tsx'
import { useForm } from '../../ui/form/use-form.ts'
import { PageHead } from '../../ui/page/page-head.tsx'
import { Panel } from '../../ui/page/panel.tsx'
import { ConcernedWallets } from './concerned-wallets.tsx'
import { factsOf, looks, reasonLanguages } from './price-change-state.ts'
import './price-changes.css'

/** A price change: details, state and affected accounts. */
export function PriceChangePage() {
  // Parameters are untyped without registered routes.
  const params = useParams()
  const id = params.change ?? ''
  const query = useApi(
    'GET /api/v4/price-changes/{id}',
    { params: { id } },
    {
      staleTime: 0,
      refetchInterval: ({ state }) => (state.data?.change.state === 'scheduled' ? 3000 : false),
    },
  )
  return <ObjectLoader query={query}>{({ change }) => <Screen change={change} />}</ObjectLoader>
}

function Screen({ change }: { change: PriceChange }) {
  const t = useT()
  const [isAsked, setAsked] = useState(false)
  const { tone, icon, label } = looks[change.state]
  const facts = factsOf(change)
  return (
    <>
      <PageHead
        title={facts.name}
        status={
          <Chip tone={tone} icon={icon}>
            {t(label)}
          </Chip>
        }
        facts={t('pricechanges.summary', facts)}
        trail={[{ label: t('cockpit.priceChanges'), to: '/price-changes' }]}
        actions={
          change.canCancel && (
            <Button variant="danger" icon={IconX} onPress={() => setAsked(true)}>
              {t('pricechanges.cancel')}
            </Button>
          )
        }
      />
      <div className="columns">
        <Wallets change={change} />
        <aside className="stack" aria-label={t('pricechanges.progress')}>
          <Panel title={t('pricechanges.progress')}>
            <Facts facts={useFacts(change)} />
          </Panel>
          <Reason reason={change.reason} />
        </aside>
      </div>
      {isAsked && <CancelDialog change={change} onClose={() => setAsked(false)} />}
    </>
  )
}

function useFacts(change: PriceChange): Fact[] {
  const t = useT()
  const { currency, wallets, individual } = change
  const of = (count: number) => t('words.ofTotal', { count: number(count), all: number(wallets) })
  const by = (at: string, name: string | null) =>
    name === null ? moment(at) : t('pricechanges.by', { moment: moment(at), name: displayAddress(name) })
  return [
    { label: t('words.tenant'), value: change.tenant.title },
    { label: t('pricechanges.subscriptions'), value: number(change.subscriptions) },
    {
      label: t('pricechanges.monthly'),
      value: t('words.fromTo', {
        from: price(change.before, currency),
        to: price(change.after, currency),
      }),
    },
    { label: t('pricechanges.told'), value: of(change.told) },
    { label: t('pricechanges.inForce'), value: of(change.applied) },
    ...(individual.length === 0
      ? []
      : [
          {
            label: t('pricechanges.individual'),
            value: individual.map(({ from, to }) => (
              <div key={from}>
                {t('words.fromTo', { from: price(from, currency), to: price(to, currency) })}
              </div>
            )),
          },
        ]),
    { label: t('pricechanges.created'), value: by(change.createdAt, change.createdBy) },
    ...(change.cancelledAt
      ? [{ label: t('pricechanges.cancelled'), value: by(change.cancelledAt, change.cancelledBy) }]
      : []),
  ]
}

/** The reason given to customers, in each available language. */
function Reason({ reason }: Pick<PriceChange, 'reason'>) {
  const t = useT()
  const texts = reasonLanguages.filter(({ language }) => reason[language])
  if (texts.length === 0) return null
  return (
    <Panel title={t('pricechanges.reason')}>
      <dl className="price-change-reason small">
        {texts.map(({ language, label }) => (
          <Fragment key={language}>
            <dt>{t(label)}</dt>
            <dd>{reason[language]}</dd>
          </Fragment>
        ))}
      </dl>
    </Panel>
  )
}

const options = { sorts: ['difference'], filters: {} } as const

function Wallets({ change: { id, currency } }: { change: PriceChange }) {
  const navigation = useListPlace(options)
  const { page, size } = navigation.place
  const query = useApiPage(
    'GET /api/v4/price-changes/{id}/wallets',
    { params: { id }, query: { page, size } },
    { staleTime: 0 },
  )
  return <ConcernedWallets query={query} navigation={navigation} currency={currency} />
}

/** Confirms cancelling a change; customers who were notified of it are notified again. */
function CancelDialog({ change, onClose }: { change: PriceChange; onClose: () => void }) {
  const t = useT()
  const act = useAct('POST /api/v4/price-changes/{id}/cancel', everything)
  const form = useForm({
    initial: {},
    submit: async () => {
      const params = { id: change.id }
      await act({ params }, onClose)
    },
  })
  return (
    <Dialog
      open
      title={t('pricechanges.cancelOf', factsOf(change))}
      onClose={onClose}
      cancelFocus
      actions={[
        {
          preset: 'delete',
          label: t('pricechanges.cancel'),
          icon: IconX,
          busyLabel: t('cockpit.working'),
          busy: form.busy,
          onPress: () => form.submit(),
          dismiss: false,
        },
      ]}
    >
      <form {...form.props}>
        <p>{t('pricechanges.cancelText', { count: change.told, number: number(change.told) })}</p>
      </form>
    </Dialog>
  )
}
