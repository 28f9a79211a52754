// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { FileDrop, tableFiles } from './file-drop.tsx'

afterEach(cleanup)

const file = new File(['a@b.test'], 'people.csv', { type: 'text/csv' })

function show(disabled = false) {
  const onFile = vi.fn<(file: File) => void>()
  const props = { label: 'Drop a file', hint: 'CSV', accept: tableFiles, onFile }
  render(<FileDrop {...props} disabled={disabled} />)
  return { onFile, field: screen.getByLabelText('Drop a file') }
}

const drop = (field: HTMLElement) =>
  fireEvent.drop(field.closest('.file-drop') ?? field, { dataTransfer: { files: [file] } })

test('accepts a chosen or dropped file, even the same one twice', async () => {
  const { onFile, field } = show()
  expect(field.getAttribute('aria-describedby')).toBe(screen.getByText('CSV').id)
  for (let time = 0; time < 2; time++) await userEvent.upload(field, file)
  drop(field)
  expect(onFile.mock.calls).toEqual([[file], [file], [file]])
})

test('accepts no file while disabled', () => {
  const { onFile, field } = show(true)
  drop(field)
  expect(onFile).not.toHaveBeenCalled()
  expect(field).toHaveProperty('disabled', true)
})

test('highlights while a file is dragged over it', () => {
  const { field } = show()
  const place = field.closest('.file-drop')
  if (place === null) throw new Error('the field is in the place')
  fireEvent.dragOver(place)
  expect(place.className).toContain('file-drop-over')
  fireEvent.dragLeave(place)
  expect(place.className).not.toContain('file-drop-over')
})
