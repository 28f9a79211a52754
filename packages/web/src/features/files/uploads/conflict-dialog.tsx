import { useState } from 'react'
import { useT } from '../../../i18n/i18n.ts'
import { Dialog } from '../../../ui/dialog/dialog.tsx'
import { Checkbox } from '../../../ui/fields/checkbox.tsx'
import { type Choice, Choices } from '../../../ui/fields/choices.tsx'
import type { Upload } from './upload.ts'
import type { UploadQueue } from './upload-queue.ts'

type Decision = 'replace' | 'rename' | 'skip'

const decisions: readonly Decision[] = ['replace', 'rename', 'skip']

/** Asks what to do with files whose names are taken; other uploads continue meanwhile. */
export function ConflictDialog({ uploads, queue }: { uploads: readonly Upload[]; queue: UploadQueue }) {
  const conflicts = uploads.filter(({ state }) => state === 'conflict')
  const [first] = conflicts
  if (!first) return null
  return <Asked key={first.id} first={first} conflicts={conflicts} queue={queue} />
}

interface AskedProps {
  first: Upload
  conflicts: readonly Upload[]
  queue: UploadQueue
}

function Asked({ first, conflicts, queue }: AskedProps) {
  const t = useT()
  const [decision, setDecision] = useState<Decision>('replace')
  const [isForAll, setForAll] = useState(false)
  const others = conflicts.length - 1
  const ids = isForAll ? conflicts.map(({ id }) => id) : [first.id]
  const choices: Choice[] = [
    { value: 'replace', label: t('files.replace'), text: t('files.replaceText') },
    { value: 'rename', label: t('files.keepBoth'), text: t('files.keepBothText') },
    { value: 'skip', label: t('files.skip'), text: t('files.skipText') },
  ]
  return (
    <Dialog
      open
      title={t('files.conflictTitle', { name: first.name })}
      onClose={() => queue.settle(ids, 'skip')}
      cancelLabel={t('files.skip')}
      actions={[{ preset: 'submit', label: t('files.goOn'), onPress: () => queue.settle(ids, decision) }]}
    >
      <Choices
        id="conflict"
        name="conflict"
        label={t('files.conflictQuestion')}
        choices={choices}
        value={decision}
        onValue={(value) => setDecision(decisions.find((one) => one === value) ?? 'skip')}
      />
      {others > 0 && (
        <Checkbox
          id="conflict-all"
          label={t('files.forAll', { count: others })}
          checked={isForAll}
          onChecked={setForAll}
        />
      )}
    </Dialog>
  )
}
