import { displayAddress } from '@gatehouse/contract/canonical-address'
import IconDownload from '@tabler/icons-react/dist/esm/icons/IconDownload.mjs'
import IconPrinter from '@tabler/icons-react/dist/esm/icons/IconPrinter.mjs'
import { useRef } from 'react'
import { day } from '../../i18n/format.ts'
import { type Translate, useT } from '../../i18n/i18n.ts'
import { config } from '../../platform/config.ts'
import { useUser } from '../../platform/session/auth.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { CopyButton } from '../../ui/buttons/copy-button.tsx'
import { Checkbox } from '../../ui/fields/checkbox.tsx'
import { Note } from '../../ui/page/note.tsx'
import { saveFile } from '../../ui/save-file.ts'
import { toasts } from '../../ui/toasts/store.ts'

export interface RecoveryCodesProps {
  codes: readonly string[]
  /** The user confirms that they are saved. */
  isSaved: boolean
  onSaved: (isSaved: boolean) => void
}

/** New recovery codes, shown only once: to copy, download or print. */
export function RecoveryCodes({ codes, isSaved, onSaved }: RecoveryCodesProps) {
  const t = useT()
  const email = displayAddress(useUser()?.email ?? '')
  const list = useRef<HTMLOListElement>(null)
  const save = () => {
    const text = new Blob([codesText(t, email, codes)], { type: 'text/plain;charset=utf-8' })
    saveFile(text, `${t('factors.codesFile')}-${email}.txt`)
  }
  const select = () => {
    if (list.current) window.getSelection()?.selectAllChildren(list.current)
    toasts.info(t('copy.refused'))
  }
  return (
    <>
      <Note tone="warning" title={t('factors.codesOnce')}>
        {t('factors.codesOnceText')}
      </Note>
      <div className="recovery-sheet">
        <p className="recovery-sheet-head">{t('factors.codesFor', codesFacts(email))}</p>
        <ol ref={list} className="recovery-codes" aria-label={t('words.recoveryCodes')}>
          {codes.map((code) => (
            <li key={code}>
              <code>{code}</code>
            </li>
          ))}
        </ol>
      </div>
      <div className="row wrap">
        <CopyButton
          size="small"
          text={codes.join('\n')}
          label={t('words.copy')}
          copied={t('words.copied')}
          onRefused={select}
        />
        <Button size="small" icon={IconDownload} onPress={save}>
          {t('factors.codesSave')}
        </Button>
        <Button size="small" icon={IconPrinter} onPress={() => window.print()}>
          {t('words.print')}
        </Button>
      </div>
      <Checkbox
        id="codes-saved"
        name="codes-saved"
        checked={isSaved}
        onChecked={onSaved}
        label={t('factors.codesSaved')}
        hint={t('factors.codesSavedHint')}
      />
    </>
  )
}

function codesFacts(email: string) {
  return { site: config['app.name'], email, day: day(new Date()) }
}

/** Text of the file: whose codes they are, from when, and what they're for. */
function codesText(t: Translate, email: string, codes: readonly string[]): string {
  return [
    t('factors.codesFor', codesFacts(email)),
    t('factors.codesUse'),
    '',
    ...codes.map((code, index) => `${String(index + 1).padStart(2)}  ${code}`),
    '',
  ].join('\r\n')
}
