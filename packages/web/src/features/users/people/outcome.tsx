import { displayAddress } from '@gatehouse/contract/canonical-address'
import type { FirstLink } from '@gatehouse/contract/directory/people'
import { useEffect, useRef } from 'react'
import { number } from '../../../i18n/format.ts'
import { useT } from '../../../i18n/i18n.ts'
import { Link } from '../../../router/link.tsx'
import { ButtonLink } from '../../../ui/buttons/button.tsx'
import { CopyButton } from '../../../ui/buttons/copy-button.tsx'
import { Panel } from '../../../ui/page/panel.tsx'
import { linkUrl } from '../password-link.tsx'
import type { Created } from './use-creation.ts'

/** The created users, each with the recipient of the first password link, or the link itself. */
export function Outcome({ created, isOnly }: { created: readonly Created[]; isOnly: boolean }) {
  const t = useT()
  const root = useRef<HTMLDivElement>(null)
  const links = created.flatMap((one) => one.links)
  const toCopy = links.filter(({ code }) => code !== null)
  const newest = created.at(-1)?.batchId
  // focus the outcome of the last action
  // biome-ignore lint/correctness/useExhaustiveDependencies: follows the newest outcome
  useEffect(() => root.current?.focus(), [newest])
  return (
    <div ref={root} tabIndex={-1} className="people-outcome">
      <Panel
        title={t('people.createdTitle', { count: links.length, number: number(links.length) })}
        actions={
          <>
            {toCopy.length > 1 && (
              <CopyButton
                size="small"
                text={toCopy.map(({ email, code }) => `${email}\t${linkUrl(code ?? '')}`).join('\n')}
                label={t('people.copyAll')}
                copied={t('words.copied')}
                onRefused={() => undefined}
              />
            )}
            {isOnly && (
              <ButtonLink to="/users" size="small">
                {t('people.toUsers')}
              </ButtonLink>
            )}
          </>
        }
        flush
      >
        <p className="people-explained text-2" role="status">
          {toCopy.length > 0 ? t('people.linksToCopy') : t('people.linksMailed')}
        </p>
        <ul className="people-links" aria-label={t('people.links')}>
          {links.map((link) => (
            <CreatedPerson key={link.userId} link={link} />
          ))}
        </ul>
      </Panel>
    </div>
  )
}

function CreatedPerson({ link: { userId, email, code, mailedTo } }: { link: FirstLink }) {
  const t = useT()
  const field = useRef<HTMLInputElement>(null)
  return (
    <li>
      <Link to={`/user/${userId}`}>{displayAddress(email)}</Link>
      {code === null && (
        <span className="text-2">
          {mailedTo === null ? t('people.linkGone') : t('people.mailedTo', { address: mailedTo })}
        </span>
      )}
      {code !== null && (
        <span className="people-link">
          <input
            ref={field}
            className="input"
            readOnly
            spellCheck={false}
            value={linkUrl(code)}
            aria-label={t('people.linkOf', { address: displayAddress(email) })}
            onFocus={(event) => event.target.select()}
          />
          <CopyButton
            text={linkUrl(code)}
            label={t('words.copy')}
            copied={t('words.copied')}
            onRefused={() => field.current?.select()}
          />
        </span>
      )}
    </li>
  )
}
