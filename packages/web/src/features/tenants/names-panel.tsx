import type { Tenant, TenantName } from '@gatehouse/contract/staff/tenants'
import IconAlertTriangle from '@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs'
import IconCircleCheck from '@tabler/icons-react/dist/esm/icons/IconCircleCheck.mjs'
import IconClock from '@tabler/icons-react/dist/esm/icons/IconClock.mjs'
import IconRefresh from '@tabler/icons-react/dist/esm/icons/IconRefresh.mjs'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { MessageKey } from '../../i18n/areas.ts'
import { moment } from '../../i18n/format.ts'
import { useT } from '../../i18n/i18n.ts'
import { call } from '../../platform/api/api.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { Chip, type Tone } from '../../ui/facts/status-chip.tsx'
import type { Glyph } from '../../ui/icon.tsx'
import { Note } from '../../ui/page/note.tsx'
import { Panel } from '../../ui/page/panel.tsx'
import { toasts } from '../../ui/toasts/store.ts'
import { ConfirmNameDialog } from './confirm-name-dialog.tsx'
import { ProofRecord } from './proof-record.tsx'
import { tenantChanged } from './use-tenant.tsx'

const looks: Record<TenantName['state'], { tone: Tone; icon: Glyph; label: MessageKey }> = {
  unchecked: { tone: 'muted', icon: IconClock, label: 'tenants.nameUnchecked' },
  waiting: { tone: 'info', icon: IconClock, label: 'tenants.nameWaiting' },
  confirmed: { tone: 'success', icon: IconCircleCheck, label: 'words.confirmed' },
  failed: { tone: 'danger', icon: IconAlertTriangle, label: 'tenants.nameFailed' },
}

/** Why a DNS check did not prove a name. */
export const reasons: Record<NonNullable<TenantName['reason']>, MessageKey> = {
  absent: 'tenants.reasonAbsent',
  different: 'tenants.reasonDifferent',
  alias: 'tenants.reasonAlias',
  unreachable: 'tenants.reasonUnreachable',
  taken: 'tenants.reasonTaken',
  reserved: 'tenants.reasonReserved',
}

const proofs: Record<NonNullable<TenantName['confirmedBy']>, MessageKey> = {
  dns: 'tenants.byDns',
  staff: 'tenants.byStaff',
  directory: 'tenants.byDirectory',
  parent: 'tenants.byParent',
}

/**
 * Hosts and mail domains of the settings: their verification state, and the DNS records for those still
 * unverified.
 */
export function NamesPanel({ tenant }: { tenant: Tenant }) {
  const t = useT()
  const { names, sender, settings } = tenant
  if (names.length === 0) return null
  const wanted = settings['mail.sender.address']
  return (
    <Panel flush title={t('tenants.names')}>
      {wanted !== null && !sender.isOwn && (
        <div className="tenants-names-note">
          <Note tone="warning" title={t('tenants.senderUnproved', { address: wanted })}>
            {t('tenants.senderInstead', {
              address: sender.address,
              replyTo: sender.replyTo ?? sender.address,
            })}
          </Note>
        </div>
      )}
      {names.map((name) => (
        <NameRow key={name.name} tenant={tenant} name={name} />
      ))}
    </Panel>
  )
}

function NameRow({ tenant, name }: { tenant: Tenant; name: TenantName }) {
  const t = useT()
  const { tone, icon, label } = looks[name.state]
  return (
    <section className="tenants-proof" aria-label={name.name}>
      <header>
        <div>
          <h3>{name.name}</h3>
          <p className="text-2 small">{t(useOf(name))}</p>
        </div>
        <Chip tone={tone} icon={icon}>
          {t(label)}
        </Chip>
      </header>
      {name.state === 'confirmed' ? <Confirmed name={name} /> : <Open tenant={tenant} name={name} />}
    </section>
  )
}

function useOf({ isHost, isSender }: TenantName): MessageKey {
  if (isHost && isSender) return 'tenants.useBoth'
  return isHost ? 'tenants.useHost' : 'tenants.useSender'
}

function Confirmed({ name }: { name: TenantName }) {
  const t = useT()
  const { confirmedBy, confirmed_at: at } = name
  if (confirmedBy === null) return null
  return <p className="text-2 small">{t(proofs[confirmedBy], { date: at === null ? '' : moment(at) })}</p>
}

/** Instructions for an unconfirmed name. */
function Open({ tenant, name }: { tenant: Tenant; name: TenantName }) {
  const t = useT()
  const client = useQueryClient()
  const { busy, check } = useNameCheck(tenant.id, name.name)
  const [confirming, setConfirming] = useState(false)
  const { record, reason, checked_at: at } = name
  const isHopeless = reason === 'reserved' || reason === 'taken'
  return (
    <>
      <p>
        {reason === null ? t(name.isHost ? 'tenants.hostOpen' : 'tenants.senderOpen') : t(reasons[reason])}
      </p>
      {!isHopeless && <ProofRecord name={name.name} record={record} />}
      <div className="tenants-proof-actions">
        <Button icon={IconRefresh} busy={busy} busyLabel={t('tenants.checking')} onPress={check}>
          {t('words.checkNow')}
        </Button>
        {tenant.canConfirmNames && !isHopeless && (
          <Button variant="quiet" onPress={() => setConfirming(true)}>
            {t('tenants.confirmStaff')}
          </Button>
        )}
        {at !== null && <span className="text-2 small">{t('tenants.checkedAt', { time: moment(at) })}</span>}
      </div>
      {confirming && (
        <ConfirmNameDialog
          name={name.name}
          confirm={(reason) =>
            call('POST /api/v4/tenants/{id}/names/{name}/confirm', {
              params: { id: String(tenant.id), name: name.name },
              body: { reason },
            })
          }
          onConfirmed={() => tenantChanged(client)}
          onClose={() => setConfirming(false)}
        />
      )}
    </>
  )
}

function useNameCheck(id: number, name: string) {
  const client = useQueryClient()
  const [busy, setBusy] = useState(false)
  const check = async () => {
    if (busy) return
    setBusy(true)
    try {
      const params = { id: String(id), name }
      const route = 'POST /api/v4/tenants/{id}/names/{name}/check'
      const { status, message } = await call(route, { params, body: {} })
      toasts.show({ type: status, message })
      tenantChanged(client)
    } finally {
      setBusy(false)
    }
  }
  return { busy, check }
}
