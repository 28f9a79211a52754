import { displayAddress } from '@gatehouse/contract/canonical-address'
import type { InviteOutcome, InviteRow } from '@gatehouse/contract/invitations'
import type { MessageKey } from '../../i18n/areas.ts'
import { number } from '../../i18n/format.ts'
import { useT } from '../../i18n/i18n.ts'
import { FileDrop, tableFiles } from '../../ui/fields/file-drop.tsx'
import { Note } from '../../ui/page/note.tsx'
import type { InviteFileState, InvitePreview } from './use-invite-file.ts'

/** Takes a file of addresses and previews the result of each line. */
export function InviteFile({ file }: { file: InviteFileState }) {
  const t = useT()
  const { preview, problem, busy, name, choose } = file
  return (
    <div className="stack" aria-busy={busy || undefined}>
      <FileDrop
        label={t('invitations.drop')}
        hint={name === undefined ? t('invitations.dropHint') : t('invitations.chosen', { name })}
        accept={tableFiles}
        onFile={choose}
      />
      {problem && (
        <Note tone="danger" live title={t('invitations.refused')}>
          {problem}
        </Note>
      )}
      {preview && <Preview preview={preview} />}
    </div>
  )
}

const outcomes: Record<InviteOutcome, MessageKey> = {
  created: 'invitations.rowCreated',
  repeated: 'invitations.rowRepeated',
  invited: 'invitations.rowInvited',
  member: 'invitations.rowMember',
  invalid: 'invitations.rowInvalid',
}

function Preview({ preview: { count, rows } }: { preview: InvitePreview }) {
  const t = useT()
  const others = rows.filter(({ outcome }) => outcome !== 'created')
  return (
    <>
      <Note tone={count > 0 ? 'success' : 'warning'} live title={t('invitations.previewCount', { count })}>
        {others.length > 0 && t('invitations.previewOthers', { count: others.length })}
      </Note>
      {others.length > 0 && <Rows rows={others} />}
    </>
  )
}

function Rows({ rows }: { rows: readonly InviteRow[] }) {
  const t = useT()
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: overflowing rows are scrolled with the keyboard
    <section className="invitations-rows" tabIndex={0} aria-label={t('invitations.rows')}>
      <table>
        <thead>
          <tr>
            <th scope="col">{t('invitations.row')}</th>
            <th scope="col">{t('words.emailAddress')}</th>
            <th scope="col">{t('words.why')}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ row, email, outcome, message }) => (
            <tr key={row}>
              <td className="number">{number(row)}</td>
              <td className="invitations-wrap">{displayAddress(email)}</td>
              <td>{message || t(outcomes[outcome])}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
