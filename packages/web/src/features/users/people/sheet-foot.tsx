import { BatchProgress } from '../../../domain/bulk/batch-progress.tsx'
import { QuoteFailed } from '../../../domain/quotes/quote-failed.tsx'
import { number, price } from '../../../i18n/format.ts'
import { useT } from '../../../i18n/i18n.ts'
import { Button, ButtonLink } from '../../../ui/buttons/button.tsx'
import { Note } from '../../../ui/page/note.tsx'
import type { People } from './use-people.ts'

/** Total price of all rows, with the button to create them. */
export function SheetFoot({ people }: { people: People }) {
  const t = useT()
  const { quote, filled, batch, busy, isSubmitted } = people
  const preview = quote.answer?.preview
  const problem = filled > 0 ? preview?.problem : undefined
  return (
    <>
      {problem && (
        <div className="people-note">
          <Note tone="danger" live>
            {problem}
          </Note>
        </div>
      )}
      {filled > 0 && quote.failed && (
        <div className="people-note">
          <QuoteFailed text={t('subscriptions.noPrice')} onRetry={quote.retry} />
        </div>
      )}
      <footer className="people-foot">
        <div className="people-total" aria-live="polite" aria-busy={quote.pending || undefined}>
          {batch ? (
            <BatchProgress of={batch} />
          ) : (
            <>
              <p className="medium">
                {t('words.userCount', { count: filled })}
                {filled > 0 && preview && (
                  <>
                    {' · '}
                    <span data-pending={quote.pending || undefined}>
                      {t('users.perMonth', { price: price(preview.monthly, preview.price.currency) })}
                    </span>
                  </>
                )}
              </p>
              <p className="small text-3">
                {filled > 0 && preview
                  ? t('people.accountCost', {
                      now: price(preview.price.monthly.now, preview.price.currency),
                      next: price(preview.price.monthly.next, preview.price.currency),
                    })
                  : t('people.rule')}
              </p>
            </>
          )}
          {isSubmitted && filled === 0 && !busy && (
            <p className="field-error" role="alert">
              {t('people.nobody')}
            </p>
          )}
        </div>
        <span className="spacer" />
        <ButtonLink to="/users">{t('words.cancel')}</ButtonLink>
        <Button type="submit" variant="primary" busy={busy} busyLabel={t('users.creating')}>
          {t('people.create', { count: filled, number: number(filled) })}
        </Button>
      </footer>
    </>
  )
}
