import type { ImportKind } from '@gatehouse/contract/directory/bulk'
import { useT } from '../../i18n/i18n.ts'
import { hasPermission, useUser } from '../../platform/session/auth.ts'
import { useLocation, useNavigate } from '../../router/router-context.tsx'
import { Button, ButtonLink } from '../../ui/buttons/button.tsx'
import { Segmented } from '../../ui/fields/segmented.tsx'
import { FormSection } from '../../ui/form/form-section.tsx'
import { EmptyState } from '../../ui/page/empty-state.tsx'
import { PageHead } from '../../ui/page/page-head.tsx'
import { Panel } from '../../ui/page/panel.tsx'
import { saveFile } from '../../ui/save-file.ts'
import { importKinds, sampleNames, sampleText } from './import-kinds.ts'
import { RecentWork } from './recent-work.tsx'
import { UploadSection } from './upload-section.tsx'
import './imports.css'

/** Imports users, lists or list members from a file. */
export function ImportPage() {
  const t = useT()
  const user = useUser()
  const kinds = kindsOf()
  const [kind, setKind] = useKind(kinds)
  const isDegraded = user?.isDegraded || user?.isAccountDegraded
  const isUsers = kind === 'users'
  return (
    <>
      <PageHead
        title={t('words.import')}
        facts={t('imports.lead')}
        trail={[
          isUsers
            ? { label: t('words.users'), to: '/users' }
            : { label: t('section.distlists'), to: '/distlists' },
        ]}
      />
      <div className="import-stack">
        {isDegraded ? (
          <Panel flush>
            <EmptyState
              title={t('imports.degradedTitle')}
              action={<ButtonLink to="/wallet">{t('degraded.topUp')}</ButtonLink>}
            >
              {t('imports.degradedText')}
            </EmptyState>
          </Panel>
        ) : (
          <section className="panel" aria-label={t('words.import')}>
            <FormSection title={t('imports.kind')} hint={t('imports.kindHint')}>
              <Segmented
                label={t('imports.kind')}
                choices={kinds.map((value) => ({ value, label: t(importKinds[value].label) }))}
                value={kind}
                onValue={setKind}
              />
              <p className="text-2">{t(importKinds[kind].hint)}</p>
            </FormSection>
            <FormSection title={t('imports.columns')} hint={t('imports.columnsHint')}>
              <Columns kind={kind} />
            </FormSection>
            <UploadSection key={kind} kind={kind} />
          </section>
        )}
        <RecentWork />
      </div>
    </>
  )
}

function kindsOf(): ImportKind[] {
  const all = ['users', 'groups', 'members'] as const
  return all.filter((kind) => hasPermission(importKinds[kind].perm))
}

/** The kind is part of the URL, so that lists can link to theirs. */
function useKind(kinds: readonly ImportKind[]): [ImportKind, (kind: ImportKind) => void] {
  const navigate = useNavigate()
  const query = useLocation().search
  const kind = kinds.find((one) => one === query.kind) ?? kinds[0] ?? 'users'
  return [kind, (next) => void navigate({ to: '.', search: { kind: next }, replace: true })]
}

function Columns({ kind }: { kind: ImportKind }) {
  const t = useT()
  const domain = useUser()?.email.split('@')[1] ?? 'example.org'
  const save = () => {
    const blob = new Blob([sampleText(kind, domain)], { type: 'text/csv' })
    saveFile(blob, sampleNames[kind])
  }
  return (
    <>
      <dl className="import-columns">
        {importKinds[kind].columns.map(({ name, about, isRequired }) => (
          <div key={name}>
            <dt>
              <code>{name}</code>
              {isRequired && <span className="small text-3"> {t('imports.required')}</span>}
            </dt>
            <dd>{t(about)}</dd>
          </div>
        ))}
      </dl>
      <p>
        <Button size="small" onPress={save}>
          {t('imports.sample')}
        </Button>
      </p>
    </>
  )
}
