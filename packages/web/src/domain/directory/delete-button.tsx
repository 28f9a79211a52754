import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import { type ReactNode, useState } from 'react'
import { Button } from '../../ui/buttons/button.tsx'

/** Opens the confirmation dialog for a deletion. */
export function DeleteButton(props: { label: string; children: (onClose: () => void) => ReactNode }) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button variant="danger-outline" icon={IconTrash} onPress={() => setOpen(true)}>
        {props.label}
      </Button>
      {open && props.children(() => setOpen(false))}
    </>
  )
}
