import type { PolicyPreview } from '@gatehouse/contract/policies'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { moment, number } from '../../i18n/format.ts'
import { useT } from '../../i18n/i18n.ts'
import { call } from '../../platform/api/api.ts'
import type { Form } from '../../ui/form/use-form.ts'
import { Note } from '../../ui/page/note.tsx'
import { type MailValues, tidyDomains } from './use-policy-forms.ts'

type Change = PolicyPreview['changes'][number]

/** Values that a preview depends on. */
const tried = ['greylist_policy', 'externalsender_policy', 'externalsender_policy_domains'] as const
/** Debounce before a preview is requested, in milliseconds. */
const rest = 400

/** What changed mail policies would have done to the mail of the last days; nothing while the form is unchanged. */
export function useMailPreview({ values, changed }: Form<MailValues>): PolicyPreview | undefined {
  const isChanged = tried.some((name) => changed.includes(name))
  const body = {
    greylist_policy: values.greylist_policy,
    externalsender_policy: values.externalsender_policy,
    externalsender_policy_domains: tidyDomains(values.externalsender_policy_domains),
  }
  const text = JSON.stringify(body)
  const [asked, setAsked] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setAsked(text), rest)
    return () => clearTimeout(timer)
  }, [text])
  const { data } = useQuery({
    queryKey: ['mail policy preview', asked],
    queryFn: ({ signal }) => {
      // the debounced text is a serialized body
      const rested = JSON.parse(asked) as typeof body
      return call('POST /api/v4/policies/preview', { body: rested, ignoreErrors: true, signal })
    },
    enabled: isChanged,
    placeholderData: keepPreviousData,
    retry: false,
  })
  return isChanged ? data : undefined
}

export interface MailPreviewProps {
  preview: PolicyPreview | undefined
  policy: Change['policy']
}

/** The effect of one changed policy, with messages as examples. A preview that fails is left out: saving works. */
export function MailPreview({ preview, policy }: MailPreviewProps) {
  const change = preview?.changes.find((one) => one.policy === policy)
  if (preview === undefined || change === undefined) return null
  return (
    <Note live title={<Effect change={change} days={preview.days} />}>
      {change.examples.length > 0 && <Examples change={change} />}
    </Note>
  )
}

function Effect({ change, days }: { change: Change; days: number }) {
  const t = useT()
  const { policy, messages, more, fewer } = change
  if (messages === 0) return t('policies.tryNoMail', { days })
  if (more + fewer === 0) return t('policies.tryNothing', { days, messages })
  const [withMore, withFewer] =
    policy === 'greylist'
      ? (['policies.tryDelayed', 'policies.tryNotDelayed'] as const)
      : (['policies.tryMarked', 'policies.tryNotMarked'] as const)
  return (
    <>
      {more > 0 && t(withMore, { days, count: more, messages: number(messages) })}
      {more > 0 && fewer > 0 && ' '}
      {fewer > 0 && t(withFewer, { days, count: fewer, messages: number(messages) })}
    </>
  )
}

function Examples({ change: { examples, more, fewer } }: { change: Change }) {
  const t = useT()
  return (
    <details className="policy-examples">
      <summary>{t('policies.tryMessages', { count: more + fewer })}</summary>
      <ul>
        {examples.map(({ id, at, sender, recipient }) => (
          <li key={id}>
            <time dateTime={at}>{moment(at)}</time>{' '}
            {t('policies.tryMessage', { sender: sender || t('policies.trySystem'), recipient })}
          </li>
        ))}
      </ul>
    </details>
  )
}
