import { displayAddress } from '@gatehouse/contract/canonical-address'
import type { FileDetail } from '@gatehouse/contract/files/file-items'
import IconEye from '@tabler/icons-react/dist/esm/icons/IconEye.mjs'
import { fileSize } from '../../../i18n/file-size.ts'
import { moment } from '../../../i18n/format.ts'
import { useT } from '../../../i18n/i18n.ts'
import { Button } from '../../../ui/buttons/button.tsx'
import { CopyValue } from '../../../ui/buttons/copy-value.tsx'
import { type Fact, Facts } from '../../../ui/facts/facts.tsx'
import { Note } from '../../../ui/page/note.tsx'
import { Panel } from '../../../ui/page/panel.tsx'
import { usePreviewPlace } from '../preview/preview-place.ts'
import { Thumbnail } from '../thumbnail.tsx'

/** Details and preview of a file. */
export function GeneralTab({ file }: { file: FileDetail }) {
  const t = useT()
  const preview = usePreviewPlace()
  return (
    <>
      <ScanNote file={file} />
      <div className="columns">
        <Panel title={t('files.view')} flush>
          <div className="file-picture">
            <Thumbnail item={file} size="1024" />
            {file.hasPreview && (
              <Button icon={IconEye} onPress={() => preview.show(file.id)}>
                {t('words.preview')}
              </Button>
            )}
            {!file.hasPreview && file.type === 'file' && (
              <p className="text-3 small">{t('files.noPreviewText')}</p>
            )}
          </div>
        </Panel>
        <Panel title={t('files.facts')}>
          <Facts facts={useFacts(file)} />
          {file.sha256 && (
            <div className="file-hash">
              <span className="small text-2">SHA-256</span>
              <CopyValue text={file.sha256} label={t('files.copyHash')} />
            </div>
          )}
        </Panel>
      </div>
    </>
  )
}

function ScanNote({ file: { scan } }: { file: FileDetail }) {
  const t = useT()
  if (scan !== 'infected' && scan !== 'waiting') return null
  return (
    <div className="files-note">
      {scan === 'infected' ? (
        <Note tone="danger" title={t('files.infected')}>
          {t('files.infectedText')}
        </Note>
      ) : (
        <Note title={t('files.scanning')}>{t('files.scanningText')}</Note>
      )}
    </div>
  )
}

function useFacts(file: FileDetail): Fact[] {
  const t = useT()
  const isFile = file.type === 'file'
  return [
    { label: t('words.type'), value: isFile ? (file.mimetype ?? t('words.unknown')) : t('files.folder') },
    ...(isFile ? [{ label: t('files.size'), value: fileSize(file.size) }] : []),
    { label: t('words.changed'), value: moment(file.mtime) },
    { label: t('words.created'), value: moment(file.created_at) },
    ...(file.owner
      ? [{ label: t('files.owner'), value: file.owner.name || displayAddress(file.owner.email) }]
      : [{ label: t('files.isShared'), value: t(file.isShared ? 'files.yes' : 'words.no') }]),
  ]
}
