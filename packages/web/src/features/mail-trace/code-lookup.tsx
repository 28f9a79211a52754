import { mailReasons } from '@gatehouse/contract/mail/mail-reasons'
import { useState } from 'react'
import { reasonTexts } from '../../domain/mail-trace/reason-texts.ts'
import { reasonIn } from '../../domain/mail-trace/refusal-code.ts'
import { useT } from '../../i18n/i18n.ts'
import { ListSearch } from '../../ui/data-table/list-search.tsx'
import { Panel } from '../../ui/page/panel.tsx'

/** Explains the code of a refusal, from the code itself or the text that someone got. */
export function CodeLookup() {
  const t = useT()
  const [text, setText] = useState('')
  const reason = reasonIn(text)
  return (
    <Panel title={t('mailtrace.lookUp')}>
      <div className="stack stack-tight">
        <ListSearch
          label={t('mailtrace.lookUp')}
          placeholder={t('mailtrace.lookUpPlaceholder')}
          value={text}
          maxLength={2000}
          onSearch={setText}
        />
        <p role="status" className="code-lookup-answer">
          {reason !== undefined && (
            <>
              <strong>{t('mailtrace.code', { code: mailReasons[reason].code })}</strong>{' '}
              {t(reasonTexts[reason])}
            </>
          )}
          {text !== '' && reason === undefined && t('mailtrace.codeUnknown')}
        </p>
      </div>
    </Panel>
  )
}
