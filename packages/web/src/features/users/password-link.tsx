import IconRefresh from '@tabler/icons-react/dist/esm/icons/IconRefresh.mjs'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import { type ReactNode, useId, useState } from 'react'
import { moment } from '../../i18n/format.ts'
import { useT } from '../../i18n/i18n.ts'
import { useAct } from '../../platform/api/use-act.ts'
import { portalAddress } from '../../platform/config.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { CopyButton } from '../../ui/buttons/copy-button.tsx'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { TextField } from '../../ui/fields/text-field.tsx'
import { Note } from '../../ui/page/note.tsx'
import { Loading, Skeleton } from '../../ui/page/skeleton.tsx'
import { rereadUser } from './user-calls.ts'

export interface NewLinkProps {
  /** `<short>-<code>`; empty while it is being created. */
  code: string
  expires: string | undefined
  failed: boolean
  onRetry: () => unknown
  error?: string
}

/** A one-time link that is activated when the form is saved. */
export function NewLink({ code, expires, failed, onRetry, error }: NewLinkProps) {
  const t = useT()
  if (failed) {
    return (
      <Note
        tone="danger"
        live
        title={t('users.linkFailed')}
        actions={
          <Button size="small" icon={IconRefresh} onPress={onRetry}>
            {t('load.retry')}
          </Button>
        }
      />
    )
  }
  if (!code) return <LinkSkeleton />
  return (
    <LinkField
      name="passwordLinkCode"
      code={code}
      label={t('users.newLink')}
      error={error}
      hint={t(expires ? 'users.linkInactiveUntil' : 'users.linkInactive', {
        time: expires ? moment(expires) : '',
      })}
    />
  )
}

function LinkSkeleton() {
  return (
    <Loading>
      <div className="stack stack-tight">
        <Skeleton width="30%" />
        <Skeleton height={34} />
        <Skeleton width="60%" />
      </div>
    </Loading>
  )
}

/** The active link that was given to a user before. */
export function ExistingLink({ code, userId }: { code: string; userId: number }) {
  const t = useT()
  const act = useAct('DELETE /api/v4/password-reset/code/{id}', (client) => rereadUser(client, userId))
  const [asking, setAsking] = useState(false)
  const remove = async () => {
    await act({ params: { id: code } })
  }
  return (
    <>
      <LinkField code={code} label={t('users.liveLink')} hint={t('users.liveLinkHint')}>
        <Button
          icon={IconTrash}
          variant="danger-outline"
          label={t('users.removeLink')}
          onPress={() => setAsking(true)}
        />
      </LinkField>
      <Dialog
        open={asking}
        title={t('users.removeLinkTitle')}
        onClose={() => setAsking(false)}
        cancelFocus
        actions={[{ preset: 'delete', label: t('users.removeLink'), onPress: remove }]}
      >
        <p>{t('users.removeLinkText')}</p>
      </Dialog>
    </>
  )
}

interface LinkFieldProps {
  name?: string
  code: string
  label: string
  hint: string
  error?: string
  children?: ReactNode
}

function LinkField({ name, code, label, hint, error, children }: LinkFieldProps) {
  const t = useT()
  const id = useId()
  const url = linkUrl(code)
  const select = () => document.querySelector<HTMLInputElement>(`#${CSS.escape(name ?? id)}`)?.select()
  return (
    <div className="users-link">
      <TextField
        id={name ?? id}
        name={name}
        label={label}
        hint={hint}
        error={error}
        value={url}
        onValue={() => {}}
        readOnly
        spellCheck={false}
      />
      <span className="users-link-buttons">
        <CopyButton text={url} label={t('words.copy')} copied={t('words.copied')} onRefused={select} />
        {children}
      </span>
    </div>
  )
}

/** URL for setting a password with a code. */
export function linkUrl(code: string): string {
  return `${portalAddress()}/password-reset/${code}`
}
