// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { activateLanguage, loadMessages } from '../../../i18n/i18n.ts'
import { FolderTree } from './folder-tree.tsx'

const folders: Record<string, { id: string; name: string }[]> = {
  '': [
    { id: 'a', name: 'Archive' },
    { id: 'b', name: 'Bills' },
    { id: 'm', name: 'Moved' },
    { id: 'c', name: 'Backups' },
  ],
  a: [{ id: 'a1', name: 'Autumn' }],
}

const onChoose = vi.fn<(folder: string | null) => void>()

function Sample() {
  const [chosen, setChosen] = useState<string | null>()
  return (
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <FolderTree
        closed={new Set(['m'])}
        chosen={chosen}
        onChoose={(folder) => {
          setChosen(folder)
          onChoose(folder)
        }}
      />
      <button type="button">After</button>
    </QueryClientProvider>
  )
}

async function setup() {
  render(<Sample />)
  await item('Archive')
  await waitFor(() => expect(focused()).toBe('Files'))
  const user = userEvent.setup()
  const press = async (...keys: string[]) => {
    for (const key of keys) await user.keyboard(`{${key}}`)
    return focused()
  }
  return { user, press }
}

const item = (name: string) => screen.findByRole('treeitem', { name: new RegExp(name) })
const focused = () => document.activeElement?.querySelector('bdi')?.textContent

beforeAll(async () => {
  await activateLanguage('en')
  await loadMessages('files')
})
beforeEach(() => {
  onChoose.mockClear()
  vi.stubGlobal('fetch', async (url: string) => {
    const list = folders[new URL(url, 'http://test').searchParams.get('parent') ?? ''] ?? []
    return Response.json({ list, count: list.length, hasMore: false, total: list.length })
  })
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

describe('keyboard', () => {
  test('up and down arrows move the focus and stop at the ends, where Home and End lead', async () => {
    const { press } = await setup()
    expect(await press('ArrowUp')).toBe('Files')
    expect(await press('ArrowDown', 'ArrowDown')).toBe('Bills')
    expect(await press('End')).toBe('Backups')
    expect(await press('ArrowDown')).toBe('Backups')
    expect(await press('Home')).toBe('Files')
    expect(onChoose).not.toHaveBeenCalled()
  })

  test('the right arrow opens a folder, then enters it; the left arrow leaves and closes it', async () => {
    const { press } = await setup()
    const archive = await item('Archive')
    expect([archive.getAttribute('aria-expanded'), archive.getAttribute('aria-level')]).toEqual([
      'false',
      '2',
    ])
    expect(await press('ArrowDown', 'ArrowRight')).toBe('Archive')
    expect(archive.getAttribute('aria-expanded')).toBe('true')
    expect((await item('Autumn')).getAttribute('aria-level')).toBe('3')
    expect(await press('ArrowRight')).toBe('Autumn')
    expect(await press('ArrowLeft')).toBe('Archive')
    expect(await press('ArrowLeft')).toBe('Archive')
    expect(archive.getAttribute('aria-expanded')).toBe('false')
    expect(await press('ArrowLeft')).toBe('Files')
  })

  test('the right arrow stays on an open folder without subfolders', async () => {
    const { press } = await setup()
    await press('ArrowDown', 'ArrowDown', 'ArrowRight')
    await screen.findByText('No subfolders')
    expect(await press('ArrowRight')).toBe('Bills')
  })

  test.each(['{Enter}', ' '])('"%s" chooses a folder, unless it is none of the targets', async (key) => {
    const { user, press } = await setup()
    await press('ArrowDown')
    await user.keyboard(key)
    expect(onChoose.mock.calls).toEqual([['a']])
    expect((await item('Archive')).getAttribute('aria-selected')).toBe('true')
    expect(await press('ArrowDown', 'ArrowDown')).toBe('Moved')
    expect((await item('Moved')).getAttribute('aria-disabled')).toBe('true')
    await user.keyboard(key)
    expect(onChoose).toHaveBeenCalledTimes(1)
  })

  test('a letter moves to the next folder that starts with it', async () => {
    const { user } = await setup()
    const seen: unknown[] = []
    for (const letter of ['b', 'B', 'b', 'a', 'x']) {
      await user.keyboard(letter)
      seen.push(focused())
    }
    expect(seen).toEqual(['Bills', 'Backups', 'Bills', 'Archive', 'Archive'])
  })

  test('Tab leaves the tree and returns to the last focused folder, or to its closed ancestor', async () => {
    const { user, press } = await setup()
    await press('ArrowDown', 'ArrowRight')
    await item('Autumn')
    await press('ArrowRight', 'Enter')
    await user.tab()
    expect(document.activeElement?.textContent).toBe('After')
    await user.tab({ shift: true })
    expect(focused()).toBe('Autumn')
    const archive = await item('Archive')
    await user.click(archive.querySelector('.files-tree-twist') ?? archive)
    expect(screen.getAllByRole('treeitem').filter(({ tabIndex }) => tabIndex === 0)).toEqual([archive])
  })

  test('leaves Alt and an arrow to the browser, which goes back', async () => {
    const { user } = await setup()
    await user.keyboard('{Alt>}{ArrowLeft}{/Alt}')
    expect((await item('Files')).getAttribute('aria-expanded')).toBe('true')
  })
})
