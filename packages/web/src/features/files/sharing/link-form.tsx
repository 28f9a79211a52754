import type { FileLink, LinkInput } from '@gatehouse/contract/files/file-shares'
import { useT } from '../../../i18n/i18n.ts'
import { call } from '../../../platform/api/api.ts'
import { useRequestKey } from '../../../platform/api/request-key.ts'
import { useActWith } from '../../../platform/api/use-act.ts'
import { Button } from '../../../ui/buttons/button.tsx'
import { Checkbox } from '../../../ui/fields/checkbox.tsx'
import { PasswordField } from '../../../ui/fields/password-field.tsx'
import { TextField } from '../../../ui/fields/text-field.tsx'
import { useFocusFirst } from '../../../ui/form/use-focus-first.ts'
import { useForm } from '../../../ui/form/use-form.ts'
import { type ActedItem, forgetFiles } from '../calls.ts'
import { type LinkValues, linkBody, localDay } from './link-values.ts'

export interface LinkFormProps {
  item: ActedItem
  /** The link to edit; undefined: a new one. */
  link?: FileLink
  onClose: () => void
}

/** The limits of a link: expiry date, password, number of downloads. */
export function LinkForm({ item, link, onClose }: LinkFormProps) {
  const t = useT()
  const act = useActWith(forgetFiles)
  const keyOf = useRequestKey()
  const form = useForm<LinkValues>({
    initial: {
      expires_at: link?.expires_at ? localDay(link.expires_at) : '',
      password: '',
      keepPassword: link?.hasPassword ?? false,
      max_downloads: link?.max_downloads ? String(link.max_downloads) : '',
    },
    prefix: 'link_',
    submit: async (values) => {
      await act<{ message: string }>(() => save(linkBody(values, link)))
      onClose()
    },
  })
  const save = (body: LinkInput) => {
    const headers = keyOf(body)
    if (!link) return call('POST /api/v4/fs/{id}/links', { params: { id: item.id }, body, headers })
    return call('PUT /api/v4/fs/{id}/links/{link}', { params: { id: item.id, link: link.id }, body, headers })
  }
  useFocusFirst(form.props.ref)
  return (
    <form {...form.props} className="share-form">
      <TextField
        {...form.field('expires_at')}
        type="date"
        label={t('files.linkEnd')}
        hint={t('files.linkEndHint')}
        optional
      />
      {link?.hasPassword && <Checkbox {...form.check('keepPassword')} label={t('files.keepPassword')} />}
      {!(link?.hasPassword && form.values.keepPassword) && (
        <PasswordField
          {...form.field('password')}
          label={t('words.password')}
          hint={t('files.linkPasswordHint')}
          autoComplete="new-password"
          optional
        />
      )}
      <TextField
        {...form.field('max_downloads')}
        label={t('files.linkDownloads')}
        hint={t('files.linkDownloadsHint')}
        inputMode="numeric"
        maxLength={7}
        optional
      />
      <span className="row wrap">
        <Button onPress={onClose}>{t('words.cancel')}</Button>
        <Button type="submit" variant="primary" busy={form.busy} busyLabel={t('words.saving')}>
          {t(link ? 'dialog.save' : 'files.makeLink')}
        </Button>
      </span>
    </form>
  )
}
