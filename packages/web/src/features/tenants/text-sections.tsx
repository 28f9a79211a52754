import { languages } from '@gatehouse/contract/language'
import { useT } from '../../i18n/i18n.ts'
import { FieldNotes } from '../../ui/fields/field.tsx'
import { TextArea } from '../../ui/fields/text-area.tsx'
import { TextField } from '../../ui/fields/text-field.tsx'
import { errorLine, type FieldErrors } from '../../ui/form/field-errors.ts'
import { FormSection } from '../../ui/form/form-section.tsx'
import type { FieldPart } from '../../ui/form/use-form.ts'
import { type TextValues, textLabels } from './localised-texts.ts'

interface TextsForm {
  errors: FieldErrors
  field: (key: keyof TextValues) => FieldPart
}

/**
 * Fields for name and description in every language. The server reports errors of `name` and `description`
 * as a whole.
 */
export function TextSections({ form }: { form: TextsForm }) {
  const t = useT()
  const of = (key: 'name' | 'description') => {
    const error = form.errors[key]
    return error && errorLine(error)
  }
  return (
    <>
      <FormSection title={t('words.name')} hint={t('offer.namesHint')}>
        <fieldset className="offer-texts">
          <legend className="visually-hidden">{t('words.name')}</legend>
          <input type="hidden" name="name" />
          {languages.map((language) => (
            <TextField
              key={language}
              {...form.field(`name-${language}`)}
              label={t(textLabels[`name-${language}`])}
              maxLength={100}
              autoComplete="off"
              required={language === 'en'}
              optional={language !== 'en'}
            />
          ))}
        </fieldset>
        <FieldNotes id="offer-name" error={of('name')} />
      </FormSection>
      <FormSection title={t('words.description')} hint={t('offer.descriptionsHint')}>
        <fieldset className="offer-texts">
          <legend className="visually-hidden">{t('words.description')}</legend>
          <input type="hidden" name="description" />
          {languages.map((language) => (
            <TextArea
              key={language}
              {...form.field(`description-${language}`)}
              label={t(textLabels[`description-${language}`])}
              rows={3}
              maxLength={4000}
              optional
            />
          ))}
        </fieldset>
        <FieldNotes id="offer-description" error={of('description')} />
      </FormSection>
    </>
  )
}
