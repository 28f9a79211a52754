// @vitest-environment happy-dom
import { act, cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { type ReactNode, useRef } from 'react'
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { activateLanguage } from '../../i18n/i18n.ts'
import { Dialog, type DialogProps } from './dialog.tsx'
import { keepFocusInside, useModal } from './modal.ts'

beforeAll(() => activateLanguage('en'))
afterEach(cleanup)

function open(props: Partial<DialogProps>, body: ReactNode) {
  const onClose = vi.fn()
  render(
    <>
      <button type="button">Outside</button>
      <Dialog open title="Title" onClose={onClose} {...props}>
        {body}
      </Dialog>
    </>,
  )
  return { user: userEvent.setup(), onClose }
}

/** A dialog whose first and last elements aren't tab stops. */
function Bare({ children }: { children: ReactNode }) {
  const panel = useRef<HTMLDivElement>(null)
  const head = useRef<HTMLHeadingElement>(null)
  useModal(panel, head)
  return (
    <div
      ref={panel}
      role="dialog"
      aria-label="Bare"
      onKeyDown={(event) => event.key === 'Tab' && panel.current && keepFocusInside(event, panel.current)}
    >
      <h2 ref={head} tabIndex={-1}>
        Head
      </h2>
      {children}
    </div>
  )
}

const focused = () => document.activeElement?.textContent

describe('keyboard', () => {
  test("Escape doesn't close what is shown only once, and Tab only reaches its actions", async () => {
    const actions = [{ label: 'Done', dismiss: true }, { label: 'Copy' }]
    const { user, onClose } = open({ sealed: true, actions }, <p>Codes</p>)
    await user.keyboard('{Escape}')
    expect(onClose).not.toHaveBeenCalled()
    const seen: unknown[] = []
    for (let time = 0; time < 3; time++) {
      await user.tab()
      seen.push(focused())
    }
    expect(seen).toEqual(['Done', 'Copy', 'Done'])
  })

  test('Escape closes the inner dialog only', async () => {
    const inner = vi.fn()
    const { user, onClose } = open(
      {},
      <Dialog open title="Inner" onClose={inner}>
        <p>Text</p>
      </Dialog>,
    )
    act(() => screen.getByRole('dialog', { name: 'Inner' }).focus())
    await user.keyboard('{Escape}')
    expect([inner.mock.calls.length, onClose.mock.calls.length]).toEqual([1, 0])
  })

  test('Shift+Tab moves from the dialog itself to its last tab stop', async () => {
    const { user } = open({ actions: [{ label: 'Last' }] }, <p>Text</p>)
    expect(document.activeElement).toBe(screen.getByRole('dialog'))
    await user.tab({ shift: true })
    expect(focused()).toBe('Last')
  })

  test('Enter in a field submits the form in the body', async () => {
    const submitted = vi.fn((event: { preventDefault: () => void }) => event.preventDefault())
    const { user } = open(
      { actions: [{ preset: 'submit' }] },
      <form onSubmit={submitted}>
        <input aria-label="Field" />
      </form>,
    )
    await user.keyboard('{Enter}')
    expect(submitted).toHaveBeenCalledTimes(1)
  })

  test("elements that aren't tab stops don't let the focus escape", async () => {
    render(
      <>
        <button type="button">Outside</button>
        <Bare>
          <button type="button">First</button>
          <button type="button">Last</button>
          <button type="button" role="tab" tabIndex={-1}>
            No stop
          </button>
        </Bare>
        <button type="button">Behind</button>
      </>,
    )
    const user = userEvent.setup()
    expect(focused()).toBe('Head')
    await user.tab({ shift: true })
    expect(focused()).toBe('Last')
    await user.tab()
    expect(focused()).toBe('First')
    await user.tab({ shift: true })
    expect(focused()).toBe('Last')
  })
})
