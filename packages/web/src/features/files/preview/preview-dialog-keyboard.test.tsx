// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { activateLanguage, loadMessages } from '../../../i18n/i18n.ts'
import { PreviewDialog } from './preview-dialog.tsx'

const items = ['one', 'two', 'three'].map((id) => ({ id, hasPreview: true }))

function Sample() {
  const [id, setId] = useState<string>()
  return (
    <QueryClientProvider client={new QueryClient()}>
      <button type="button" onClick={() => setId('two')}>
        Open
      </button>
      {id && (
        <PreviewDialog
          item={{ id, name: id, size: 1, mimetype: null, url: undefined }}
          items={items}
          isLoading={false}
          isError={false}
          onRetry={vi.fn()}
          onTurn={setId}
          onDownload={vi.fn()}
          onClose={() => setId(undefined)}
        />
      )}
    </QueryClientProvider>
  )
}

async function open() {
  render(<Sample />)
  const user = userEvent.setup()
  await user.tab()
  await user.keyboard('{Enter}')
  return user
}

const shown = () => screen.getByRole('heading', { level: 2 }).textContent

beforeAll(async () => {
  await activateLanguage('en')
  await loadMessages('files')
})
afterEach(cleanup)

describe('keyboard', () => {
  test('focuses the name first, and Tab stays inside in both directions', async () => {
    const user = await open()
    const dialog = screen.getByRole('dialog', { name: 'two' })
    expect(document.activeElement?.textContent).toBe('two')
    await user.tab({ shift: true })
    expect(dialog.contains(document.activeElement)).toBe(true)
    const last = document.activeElement
    await user.tab()
    expect(document.activeElement).toBe(screen.getAllByRole('button', { name: 'Download' })[0])
    await user.tab({ shift: true })
    expect(document.activeElement).toBe(last)
  })

  test('arrow keys move to the other items and stop at the ends', async () => {
    const user = await open()
    const seen: unknown[] = []
    for (const key of ['ArrowLeft', 'ArrowLeft', 'ArrowRight', 'ArrowRight', 'ArrowRight']) {
      await user.keyboard(`{${key}}`)
      seen.push(shown())
    }
    expect(seen).toEqual(['one', 'one', 'two', 'three', 'three'])
  })

  test('leaves Alt and an arrow to the browser, which goes back', async () => {
    const user = await open()
    await user.keyboard('{Alt>}{ArrowLeft}{/Alt}')
    expect(shown()).toBe('two')
  })

  test('Escape closes the preview and restores the focus', async () => {
    const user = await open()
    await user.keyboard('{Escape}')
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(document.activeElement?.textContent).toBe('Open')
  })
})
