import type { SignupToken } from '@gatehouse/contract/staff/tenant-sign-up'
import type { Tenant } from '@gatehouse/contract/staff/tenants'
import IconCircleCheck from '@tabler/icons-react/dist/esm/icons/IconCircleCheck.mjs'
import IconCircleX from '@tabler/icons-react/dist/esm/icons/IconCircleX.mjs'
import IconClock from '@tabler/icons-react/dist/esm/icons/IconClock.mjs'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { MessageKey } from '../../../i18n/areas.ts'
import { day, number } from '../../../i18n/format.ts'
import { useT } from '../../../i18n/i18n.ts'
import { call } from '../../../platform/api/api.ts'
import { useApiPage } from '../../../platform/api/query.tsx'
import { Button } from '../../../ui/buttons/button.tsx'
import { DataList } from '../../../ui/data-table/data-list.tsx'
import type { Column } from '../../../ui/data-table/data-table.tsx'
import { ListFilter } from '../../../ui/data-table/list-filter.tsx'
import { useListPlace } from '../../../ui/data-table/list-place.ts'
import { ListSearch } from '../../../ui/data-table/list-search.tsx'
import { Chip, type Tone } from '../../../ui/facts/status-chip.tsx'
import type { Glyph } from '../../../ui/icon.tsx'
import { EmptyState } from '../../../ui/page/empty-state.tsx'
import { RemoveDialog } from '../remove-dialog.tsx'
import { NewTokensDialog } from './new-tokens-dialog.tsx'

const states = ['usable', 'used-up', 'expired', 'revoked'] as const
const options = { sorts: ['created'], filters: { state: states }, order: 'desc' } as const

const looks: Record<SignupToken['state'], { tone: Tone; icon: Glyph; label: MessageKey }> = {
  usable: { tone: 'success', icon: IconCircleCheck, label: 'offer.tokenUsable' },
  'used-up': { tone: 'muted', icon: IconCircleCheck, label: 'words.usedUp' },
  expired: { tone: 'muted', icon: IconClock, label: 'offer.tokenExpired' },
  revoked: { tone: 'muted', icon: IconCircleX, label: 'offer.tokenRevoked' },
}

const route = 'GET /api/v4/tenants/{id}/signup-tokens'

/** Tokens that open plans in token mode. */
export function Tokens({ tenant }: { tenant: Tenant }) {
  const t = useT()
  const client = useQueryClient()
  const navigation = useListPlace(options)
  const { page, size, search, filters } = navigation.place
  const [creating, setCreating] = useState(false)
  const [leaving, setLeaving] = useState<SignupToken>()
  const params = { id: String(tenant.id) }
  const query = useApiPage(route, {
    params,
    query: { page, size, search: search || null, state: filters.state ?? null },
  })
  const create = (
    <Button size="small" icon={IconPlus} onPress={() => setCreating(true)}>
      {t('offer.newTokens')}
    </Button>
  )
  return (
    <>
      <DataList
        inside
        label={t('offer.tokens')}
        columns={useColumns(setLeaving)}
        rowKey={({ token }) => token}
        query={query}
        navigation={navigation}
        tools={
          <>
            <ListSearch
              label={t('offer.searchTokens')}
              placeholder={t('words.token')}
              value={search}
              maxLength={191}
              onSearch={(text) => navigation.go({ search: text })}
            />
            <ListFilter
              label={t('offer.state')}
              all={t('words.any')}
              options={states.map((state) => ({ value: state, label: t(looks[state].label) }))}
              value={filters.state}
              onFilter={(value) => navigation.go({ filters: { state: states.find((one) => one === value) } })}
            />
            {create}
          </>
        }
        empty={
          <EmptyState title={t('offer.noTokens')} action={create}>
            {t('offer.noTokensText')}
          </EmptyState>
        }
      />
      {creating && <NewTokensDialog tenant={tenant} onClose={() => setCreating(false)} />}
      {leaving && (
        <RemoveDialog
          title={t('offer.revokeTitle', { token: leaving.token })}
          label={t('offer.revokeNow')}
          field="token"
          act={async () => {
            const done = await call('DELETE /api/v4/tenants/{id}/signup-tokens/{token}', {
              params: { ...params, token: leaving.token },
            })
            await client.invalidateQueries({ queryKey: [route] })
            return done
          }}
          onClose={() => setLeaving(undefined)}
        >
          <p>{t('offer.revokeText')}</p>
        </RemoveDialog>
      )}
    </>
  )
}

function useColumns(onRevoke: (token: SignupToken) => void): readonly Column<SignupToken>[] {
  const t = useT()
  return [
    {
      name: 'token',
      label: t('words.token'),
      phone: 'main',
      cell: ({ token, plan }) => (
        <>
          <code className="offer-token">{token}</code>
          <span className="data-second">{plan.name}</span>
        </>
      ),
    },
    {
      name: 'used',
      label: t('offer.used'),
      phone: 'meta',
      cell: ({ used, limit }) =>
        limit === null
          ? t('offer.usedTimes', { count: used })
          : t('words.usedOfLimit', { used: number(used), limit: number(limit) }),
    },
    {
      name: 'expires',
      label: t('words.lastDay'),
      phone: 'meta',
      cell: ({ expires_at: expires }) =>
        expires === null ? (
          <span className="text-3">{t('offer.noEnd')}</span>
        ) : (
          <span className="nowrap">{day(lastDay(expires))}</span>
        ),
    },
    {
      name: 'state',
      label: t('offer.state'),
      phone: 'meta',
      cell: ({ state }) => {
        const { tone, icon, label } = looks[state]
        return (
          <Chip tone={tone} icon={icon}>
            {t(label)}
          </Chip>
        )
      },
    },
    {
      name: 'actions',
      label: t('words.actions'),
      phone: 'aside',
      align: 'end',
      cell: (one) =>
        one.state !== 'revoked' && (
          <Button size="small" onPress={() => onRevoke(one)}>
            {t('offer.revoke')}
            <span className="visually-hidden">{` ${one.token}`}</span>
          </Button>
        ),
    },
  ]
}

/** Last day on which a token can be used: it expires at the end of that day in UTC. */
function lastDay(expires: string): string {
  const end = new Date(`${expires.replace(' ', 'T')}Z`)
  return new Date(end.getTime() - 1).toISOString().slice(0, 10)
}
