import type { DomainDetail } from '@gatehouse/contract/directory/domains'
import { useQueryClient } from '@tanstack/react-query'
import { restoreObject } from '../../domain/directory/kind-calls.ts'
import { ObjectRemovalCost } from '../../domain/subscriptions/removal-cost.tsx'
import { useT } from '../../i18n/i18n.ts'
import { call } from '../../platform/api/api.ts'
import { reportDone } from '../../platform/api/undo.ts'
import { config } from '../../platform/config.ts'
import { hasPermission } from '../../platform/session/auth.ts'
import { useNavigate } from '../../router/router-context.tsx'
import { ButtonLink } from '../../ui/buttons/button.tsx'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { Note } from '../../ui/page/note.tsx'
import { domainsChanged, rereadDomain } from './domain-calls.ts'

export interface DeleteDialogProps {
  domain: DomainDetail
  onClose: () => void
}

/** Confirms the deletion of a domain, or explains that it can't be deleted because an address uses it. */
export function DeleteDialog({ domain, onClose }: DeleteDialogProps) {
  const t = useT()
  const remove = useRemove(domain)
  const { displayName, namespace, isEmpty } = domain
  return (
    <Dialog
      open
      title={t('domains.deleteTitle', { domain: displayName })}
      onClose={onClose}
      cancelFocus
      actions={[
        {
          preset: 'delete',
          label: t('domains.deleteNow'),
          busyLabel: t('domains.deleting'),
          disabled: !isEmpty,
          onPress: remove,
        },
      ]}
    >
      {isEmpty ? (
        <ul className="dialog-effects">
          <li>{t('domains.deleteMail')}</li>
          <li>
            <ObjectRemovalCost type="domain" id={domain.id} />
          </li>
          <li>{t('domains.deleteRestore', { days: config['app.retention_days'] })}</li>
        </ul>
      ) : (
        <Note tone="warning" title={t('domains.notEmptyTitle')}>
          <p>{t('domains.notEmptyText', { domain: displayName })}</p>
          {hasPermission('users') && (
            <p className="domains-note-action">
              <ButtonLink to="/users" search={{ search: `@${namespace}` }} size="small">
                {t('domains.showUsers')}
              </ButtonLink>
            </p>
          )}
        </Note>
      )}
    </Dialog>
  )
}

function useRemove(domain: DomainDetail): () => Promise<void> {
  const client = useQueryClient()
  const navigate = useNavigate()
  return async () => {
    try {
      const { message } = await call('DELETE /api/v4/domains/{id}', { params: { id: String(domain.id) } })
      reportDone(
        message,
        () => restoreObject('domain', domain.id),
        () => domainsChanged(client),
      )
    } catch (error) {
      // An address was created in it since the page loaded; the dialog shows that from now on.
      await rereadDomain(client, domain.id)
      throw error
    }
    await domainsChanged(client)
    // Deleting the last domain may revoke the permission to see domains.
    await navigate({ to: hasPermission('domains') ? '/domains' : '/dashboard', ignoreBlocker: true })
  }
}
