import type { FactorOverview } from '@gatehouse/contract/sessions/factors'
import IconDeviceMobile from '@tabler/icons-react/dist/esm/icons/IconDeviceMobile.mjs'
import IconFingerprint from '@tabler/icons-react/dist/esm/icons/IconFingerprint.mjs'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { canUsePasskeys } from '../../domain/proof/passkey-support.ts'
import { day } from '../../i18n/format.ts'
import { useT } from '../../i18n/i18n.ts'
import { ApiError } from '../../platform/api/api-error.ts'
import type { Glyph } from '../../ui/icon.tsx'
import { LoadFailed } from '../../ui/page/load-failed.tsx'
import { Note } from '../../ui/page/note.tsx'
import { Panel, Tag } from '../../ui/page/panel.tsx'
import { SkeletonRows } from '../../ui/page/skeleton.tsx'
import { AddApp, AddPasskey } from './add-factor.tsx'
import { type FactorKind, factorsQuery, rereadFactors } from './factor-calls.ts'
import { FactorList, type ListedFactor } from './factor-list.tsx'
import { LostFactor } from './lost-factor.tsx'
import { Overview } from './overview.tsx'
import { countFactors, ownFactors } from './protection.ts'
import { RemoveDialog } from './remove-dialog.tsx'
import { RenameDialog } from './rename-dialog.tsx'
import { RenewCodes } from './renew-codes.tsx'
import './factors.css'

/** The user's factors besides the password. */
export function FactorsSection() {
  const { data, isPending, error, refetch } = useQuery(factorsQuery)
  if (data) return <Factors overview={data} />
  if (isPending) {
    return (
      <Panel flush>
        <SkeletonRows count={4} />
      </Panel>
    )
  }
  const reason = error instanceof ApiError && error.fromServer ? error.message : undefined
  return <LoadFailed onRetry={refetch} reason={reason} />
}

function Factors({ overview }: { overview: FactorOverview }) {
  const t = useT()
  const client = useQueryClient()
  const changed = () => rereadFactors(client)
  const { passkeys, totp, recovery } = overview
  const isFirst = ownFactors(overview) === 0
  const withPasskeys = canUsePasskeys()
  return (
    <div className="columns">
      <div className="stack factors">
        <Overview overview={overview} onChanged={changed} />
        <FactorPanel
          kind="passkey"
          icon={IconFingerprint}
          title={t('factors.passkeys')}
          text={t('factors.passkeysText')}
          add={withPasskeys && <AddPasskey size="small" onAdded={changed} />}
          note={!withPasskeys && <Note tone="info" title={t('factors.noPasskeys')} />}
          overview={overview}
          factors={passkeys}
        />
        <FactorPanel
          kind="totp"
          icon={IconDeviceMobile}
          title={t('factors.apps')}
          text={t('factors.appsText')}
          add={<AddApp size="small" isFirst={isFirst} onAdded={changed} />}
          overview={overview}
          factors={totp.map(({ label, ...factor }) => ({ ...factor, name: label }))}
        />
        <Panel
          title={t('words.recoveryCodes')}
          actions={!isFirst && <RenewCodes size="small" left={recovery.left} onRenewed={changed} />}
        >
          <p className="text-2">{t('factors.codesText')}</p>
          <p className="factors-codes">
            {recovery.created_at === null
              ? t(isFirst ? 'factors.codesLater' : 'factors.codesNone')
              : t('factors.codesLeft', { count: recovery.left, day: day(recovery.created_at) })}
          </p>
        </Panel>
      </div>
      <LostFactor />
    </div>
  )
}

interface FactorPanelProps {
  kind: FactorKind
  icon: Glyph
  title: string
  /** What the factor is and what it's for. */
  text: string
  add: ReactNode
  /** Shown instead of a button this browser can't support. */
  note?: ReactNode
  overview: FactorOverview
  factors: readonly (ListedFactor & { isBackedUp?: boolean })[]
}

interface Opened {
  dialog: 'rename' | 'remove'
  factor: ListedFactor
}

function FactorPanel({ kind, icon, title, text, add, note, overview, factors }: FactorPanelProps) {
  const t = useT()
  const [opened, setOpened] = useState<Opened>()
  const close = () => setOpened(undefined)
  return (
    <Panel flush title={title} actions={add}>
      <div className="factors-about">
        <p className="text-2">{text}</p>
        {note}
      </div>
      {factors.length > 0 && (
        <FactorList
          label={title}
          icon={icon}
          factors={factors}
          mark={({ isBackedUp }) => isBackedUp && <Tag>{t('factors.synced')}</Tag>}
          onRename={(factor) => setOpened({ dialog: 'rename', factor })}
          onRemove={(factor) => setOpened({ dialog: 'remove', factor })}
        />
      )}
      {opened?.dialog === 'rename' && <RenameDialog kind={kind} factor={opened.factor} onClose={close} />}
      {opened?.dialog === 'remove' && (
        <RemoveDialog
          kind={kind}
          factor={opened.factor}
          isLast={countFactors(overview) === 1}
          isLastOwn={ownFactors(overview) === 1}
          isKept={overview.isLastKept}
          onClose={close}
        />
      )}
    </Panel>
  )
}
