import type { Tenant } from '@gatehouse/contract/staff/tenants'
import IconDownload from '@tabler/icons-react/dist/esm/icons/IconDownload.mjs'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { number } from '../../../i18n/format.ts'
import { useT } from '../../../i18n/i18n.ts'
import { useAct } from '../../../platform/api/use-act.ts'
import { Button } from '../../../ui/buttons/button.tsx'
import { CopyButton } from '../../../ui/buttons/copy-button.tsx'
import { Dialog } from '../../../ui/dialog/dialog.tsx'
import { FormDialog } from '../../../ui/dialog/form-dialog.tsx'
import { Choices } from '../../../ui/fields/choices.tsx'
import { Select } from '../../../ui/fields/select.tsx'
import { TextArea } from '../../../ui/fields/text-area.tsx'
import { TextField } from '../../../ui/fields/text-field.tsx'
import { type Form, useForm } from '../../../ui/form/use-form.ts'
import { Note } from '../../../ui/page/note.tsx'
import { Skeleton } from '../../../ui/page/skeleton.tsx'
import { saveFile } from '../../../ui/save-file.ts'
import { toasts } from '../../../ui/toasts/store.ts'
import { catalogueQuery, type Plan } from '../catalogue/catalogue-query.ts'
import { readCount } from '../read-number.ts'

interface NewTokensDialogProps {
  tenant: Tenant
  onClose: () => void
}

/** Creates sign-up tokens and shows them for copying or download. */
export function NewTokensDialog({ tenant, onClose }: NewTokensDialogProps) {
  const t = useT()
  const [made, setMade] = useState<readonly string[]>()
  const { data } = useQuery(catalogueQuery(tenant.id))
  if (made) return <MadeDialog tokens={made} onClose={onClose} />
  const plans = data?.plans.filter(({ mode }) => mode === 'token')
  if (plans && plans.length > 0)
    return <WantedDialog tenant={tenant} plans={plans} onMade={setMade} onClose={onClose} />
  return (
    <Dialog open title={t('offer.newTokensTitle')} onClose={onClose}>
      {plans ? (
        <Note tone="info" title={t('offer.noTokenPlan')}>
          {t('offer.noTokenPlanText')}
        </Note>
      ) : (
        <Skeleton height={120} />
      )}
    </Dialog>
  )
}

interface WantedDialogProps extends NewTokensDialogProps {
  plans: readonly Plan[]
  onMade: (tokens: readonly string[]) => void
}

const blank = { plan: '', kind: 'made', count: '1', tokens: '', limit: '1', lastDay: '' }

function WantedDialog({ tenant, plans, onMade, onClose }: WantedDialogProps) {
  const t = useT()
  const act = useAct('POST /api/v4/tenants/{id}/signup-tokens', ['GET /api/v4/tenants/{id}/signup-tokens'])
  const form: Form<typeof blank> = useForm({
    initial: { ...blank, plan: plans[0]?.id ?? '' },
    prefix: 'tokens-',
    submit: async ({ plan, kind, count: text, tokens: names, limit: most, lastDay }) => {
      const [count, limit] = [readCount(text), readCount(most)]
      const wrong = {
        ...(kind === 'made' && !count && { count: t('tenants.faultCount') }),
        ...(limit === undefined && { limit: t('tenants.faultCount') }),
      }
      if (Object.keys(wrong).length > 0) return form.setErrors(wrong)
      const body = {
        ...(kind === 'made' ? { count: count ?? 1 } : { tokens: names.split(/\s+/).filter(Boolean) }),
        ...{ plan, limit: limit ?? null, lastDay: lastDay || null },
      }
      const params = { id: String(tenant.id) }
      await act({ params, body }, ({ tokens }) => onMade(tokens))
    },
  })
  const kind = form.field('kind')
  const usable = tenant.offerLimits?.signupTokens
  return (
    <FormDialog
      title={t('offer.newTokensTitle')}
      form={form}
      onClose={onClose}
      preset="submit"
      submitLabel={t('offer.createTokens')}
      busyLabel={t('cockpit.working')}
    >
      <Select
        {...form.field('plan')}
        label={t('words.plan')}
        hint={t('offer.tokenPlanHint')}
        options={plans.map(({ id, name }) => ({ value: id, label: name }))}
      />
      <Choices
        {...kind}
        label={t('offer.tokens')}
        grid
        choices={[
          { value: 'made', label: t('offer.tokensMade') },
          { value: 'named', label: t('offer.tokensNamed') },
        ]}
      />
      {kind.value === 'made' ? (
        <TextField
          {...form.field('count')}
          label={t('offer.tokenCount')}
          hint={usable === undefined ? undefined : t('offer.tokensAtMost', { max: number(usable) })}
          inputMode="numeric"
          autoComplete="off"
          required
        />
      ) : (
        <>
          {/* the server speaks of too many as `count` */}
          <TextArea
            {...form.field('tokens')}
            error={form.field('tokens').error ?? form.field('count').error}
            label={t('offer.tokenNames')}
            hint={t('offer.tokenNamesHint')}
            rows={4}
            required
          />
          <input type="hidden" name="count" />
        </>
      )}
      <div className="field-pair">
        <TextField
          {...form.field('limit')}
          label={t('offer.tokenLimit')}
          hint={t('offer.tokenLimitHint')}
          inputMode="numeric"
          autoComplete="off"
          optional
        />
        <TextField
          {...form.field('lastDay')}
          type="date"
          label={t('words.lastDay')}
          hint={t('offer.lastDayHint')}
          optional
        />
      </div>
    </FormDialog>
  )
}

function MadeDialog({ tokens, onClose }: { tokens: readonly string[]; onClose: () => void }) {
  const t = useT()
  const box = useRef<HTMLTextAreaElement>(null)
  const text = tokens.join('\n')
  const select = () => {
    box.current?.select()
    toasts.info(t('copy.refused'))
  }
  return (
    <Dialog
      open
      title={t('offer.madeTitle', { count: tokens.length })}
      cancelLabel={t('words.done')}
      onClose={onClose}
    >
      <p>{t('offer.madeText')}</p>
      <textarea
        ref={box}
        className="input offer-made"
        aria-label={t('offer.tokens')}
        rows={Math.min(10, Math.max(2, tokens.length))}
        readOnly
        value={text}
      />
      <div className="row wrap">
        <CopyButton
          text={text}
          label={t('offer.copyTokens', { count: tokens.length })}
          copied={t('words.copied')}
          onRefused={select}
        />
        <Button
          icon={IconDownload}
          onPress={() =>
            saveFile(new Blob([`${text}\n`], { type: 'text/plain' }), `${t('offer.tokensFile')}.txt`)
          }
        >
          {t('words.download')}
        </Button>
      </div>
    </Dialog>
  )
}
