import type { ImportProblem, ImportState, SkipReason } from '@gatehouse/contract/mail/import-terms'
import type { ImportReport, MailImport } from '@gatehouse/contract/mail/mail-import'
import IconCircleCheck from '@tabler/icons-react/dist/esm/icons/IconCircleCheck.mjs'
import IconCircleX from '@tabler/icons-react/dist/esm/icons/IconCircleX.mjs'
import IconClock from '@tabler/icons-react/dist/esm/icons/IconClock.mjs'
import IconMailDown from '@tabler/icons-react/dist/esm/icons/IconMailDown.mjs'
import { useState } from 'react'
import type { MessageKey } from '../../i18n/areas.ts'
import { fileSize } from '../../i18n/file-size.ts'
import { moment, number } from '../../i18n/format.ts'
import { useT } from '../../i18n/i18n.ts'
import { useApi } from '../../platform/api/query.tsx'
import { useAct } from '../../platform/api/use-act.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { Chip, type Tone } from '../../ui/facts/status-chip.tsx'
import type { Glyph } from '../../ui/icon.tsx'
import { Note } from '../../ui/page/note.tsx'
import { Panel } from '../../ui/page/panel.tsx'
import { AgainDialog } from './again-dialog.tsx'

const states: Record<ImportState, { label: MessageKey; tone: Tone; icon: Glyph }> = {
  waiting: { label: 'mailimport.waiting', tone: 'muted', icon: IconClock },
  running: { label: 'mailimport.running', tone: 'info', icon: IconMailDown },
  done: { label: 'mailimport.done', tone: 'success', icon: IconCircleCheck },
  cancelled: { label: 'mailimport.cancelled', tone: 'muted', icon: IconCircleX },
  failed: { label: 'mailimport.failed', tone: 'danger', icon: IconCircleX },
}

const problems: Record<ImportProblem, MessageKey> = {
  unreachable: 'mailimport.unreachable',
  certificate: 'mailimport.certificate',
  encryption: 'mailimport.encryption',
  'password-sign-in': 'mailimport.passwordSignIn',
  'sign-in': 'mailimport.signIn',
  protocol: 'mailimport.protocol',
  'too-many-folders': 'mailimport.tooManyFolders',
  quota: 'mailimport.quota',
  expired: 'mailimport.expired',
}

const reasons: Record<SkipReason, MessageKey> = {
  'too-large': 'mailimport.tooLarge',
  refused: 'mailimport.refused',
  unreadable: 'mailimport.unreadable',
  'folder-unreadable': 'mailimport.folderUnreadable',
  'folder-refused': 'mailimport.folderRefused',
}

export interface ImportPanelProps {
  id: string
  of: MailImport
  /** Another import is active, so that this one can't run again. */
  isBlocked: boolean
}

/** Progress of an active import, or the report of one that ended. */
export function ImportPanel({ id, of: one, isBlocked }: ImportPanelProps) {
  const t = useT()
  const isActive = one.ended_at === null
  const [isOpen, setOpen] = useState(isActive)
  const [isAgain, setAgain] = useState(false)
  const cancel = useAct('POST /api/v4/users/{id}/mail-imports/{import}/cancel', [
    'GET /api/v4/users/{id}/mail-imports',
  ])
  const { label, tone, icon } = states[one.state]
  return (
    <Panel
      title={t('mailimport.from', { login: one.login, host: one.host })}
      actions={
        <Chip tone={tone} icon={icon}>
          {t(label)}
        </Chip>
      }
      footer={
        <>
          <p>
            {isActive
              ? t('mailimport.closeText')
              : t('mailimport.endedAt', { time: moment(one.ended_at ?? '') })}
          </p>
          <Button aria-expanded={isOpen} onPress={() => setOpen(!isOpen)}>
            {t('mailimport.details')}
          </Button>
          {isActive ? (
            <Button onPress={() => cancel({ params: { id, import: one.id } })}>
              {t('mailimport.cancel')}
            </Button>
          ) : (
            <Button disabled={isBlocked} onPress={() => setAgain(true)}>
              {t('mailimport.again')}
            </Button>
          )}
        </>
      }
    >
      <div className="stack">
        {one.problem !== null && (
          <Note tone={isActive ? 'warning' : 'danger'} title={t(problems[one.problem])}>
            {[isActive ? t('mailimport.retry') : '', one.answer ?? ''].join(' ').trim()}
          </Note>
        )}
        {isActive && <Progress of={one} />}
        <p>{counts(t, one)}</p>
        {isOpen && <Details id={id} of={one} />}
      </div>
      {isAgain && <AgainDialog id={id} of={one} onClose={() => setAgain(false)} />}
    </Panel>
  )
}

function Progress({ of: { messages, processed, rate, folder } }: { of: MailImport }) {
  const t = useT()
  const facts = [
    t('mailimport.progress', { done: number(processed), total: number(messages) }),
    ...(rate === null || rate === 0 ? [] : [t('mailimport.rate', { size: fileSize(rate) })]),
    ...(folder === null ? [] : [folder]),
  ]
  return (
    <div className="mail-import-progress">
      {/* without a value while nothing is counted yet */}
      <progress aria-label={t('words.progress')} {...(messages > 0 && { value: processed, max: messages })} />
      <p className="small text-3">{facts.join(' · ')}</p>
    </div>
  )
}

function counts(t: ReturnType<typeof useT>, { copied, copiedBytes, existing, skipped }: MailImport): string {
  return [
    t('mailimport.copied', { count: copied, size: fileSize(copiedBytes) }),
    ...(existing > 0 ? [t('mailimport.existing', { count: existing })] : []),
    ...(skipped > 0 ? [t('mailimport.skipped', { count: skipped })] : []),
  ].join(' ')
}

/** Folders and skipped messages. */
function Details({ id, of: one }: { id: string; of: MailImport }) {
  const t = useT()
  const params = { id, import: one.id }
  const report = useApi(
    'GET /api/v4/users/{id}/mail-imports/{import}',
    { params },
    { staleTime: 0, refetchInterval: () => (one.ended_at === null ? 3000 : false) },
  )
  if (report.data === undefined) return null
  const { folders, skips } = report.data
  return (
    <>
      <ul className="mail-import-rows" aria-label={t('mailimport.foldersLabel')}>
        {folders.map((folder) => (
          <li key={`${folder.path}\n${folder.target}`}>
            <span>{folder.path === folder.target ? folder.path : `${folder.path} → ${folder.target}`}</span>
            <span className="small text-3">
              {t('mailimport.progress', {
                done: number(folder.copied + folder.existing + folder.skipped),
                total: number(folder.messages),
              })}
            </span>
          </li>
        ))}
      </ul>
      {skips.length > 0 && <Skips skips={skips} />}
    </>
  )
}

function Skips({ skips }: Pick<ImportReport, 'skips'>) {
  const t = useT()
  return (
    <>
      <h3>{t('mailimport.skippedTitle')}</h3>
      <ul className="mail-import-rows" aria-label={t('mailimport.skippedTitle')}>
        {skips.map(({ path, uid, bytes, reason, answer }) => (
          <li key={`${path}\n${uid}`}>
            <span>{uid === null ? path : t('mailimport.messageOf', { folder: path, uid })}</span>
            <span className="small text-3">
              {[
                t(reasons[reason]),
                ...(bytes === null ? [] : [fileSize(bytes)]),
                ...(answer === null ? [] : [answer]),
              ].join(' · ')}
            </span>
          </li>
        ))}
      </ul>
    </>
  )
}
