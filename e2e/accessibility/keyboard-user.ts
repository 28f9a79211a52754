import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'

/** The longest way to a control, in presses of Tab. */
const farthest = 80

/** The element with the focus. */
interface Stop {
  readonly name: string
  /** The element, or the frame that stands for it, has an outline and is in view. */
  readonly isVisible: boolean
}

/**
 * A person without a mouse. Counts what would be a click: Enter or Space on a control, and choosing a tab or radio
 * button by arrow keys. Tab isn't counted. Typing is counted separately.
 */
export class KeyboardUser {
  readonly page: Page
  #acts: string[] = []
  #typed = 0

  constructor(page: Page) {
    this.page = page
  }

  /** Every act so far, by name. */
  get acts(): readonly string[] {
    return this.#acts
  }

  /** Characters typed so far. */
  get typed(): number {
    return this.#typed
  }

  /** Tabs until a control has the focus. The focus must be visible at every stop. */
  async tabTo(control: Locator, { back = false } = {}): Promise<void> {
    await control.first().waitFor()
    if (this.#acts.length > 0) await this.expectFocusKept()
    const focused = control.and(this.page.locator(':focus'))
    const passed: string[] = []
    if ((await focused.count()) > 0) return this.expectVisibleFocus()
    for (let stop = 0; stop < farthest; stop += 1) {
      await this.page.keyboard.press(back ? 'Shift+Tab' : 'Tab')
      const { name, isVisible } = await stopOf(this.page)
      // after the last control the browser starts at the top again
      if (!name.startsWith('body')) expect(isVisible, `visible focus on ${name}`).toBe(true)
      if ((await focused.count()) > 0) return
      passed.push(name)
    }
    expect.fail(`The Tab key doesn't reach ${String(control)}. It passed ${passed.join(' · ')}`)
  }

  /** Tabs to a control and presses it. */
  async press(control: Locator, { key = 'Enter', back = false }: PressOptions = {}): Promise<void> {
    await this.tabTo(control, { back })
    await this.strike(key)
  }

  /** Presses Enter or Space on what has the focus. */
  async strike(key: 'Enter' | 'Space'): Promise<void> {
    await this.expectVisibleFocus()
    this.#acts.push(`${key} on ${(await stopOf(this.page)).name}`)
    await this.page.keyboard.press(key)
  }

  /** Chooses another tab or radio button by an arrow key. */
  async chooseByArrow(control: Locator, key: 'ArrowDown' | 'ArrowRight'): Promise<void> {
    await control.waitFor()
    const focused = control.and(this.page.locator(':focus'))
    const passed: string[] = []
    while ((await focused.count()) === 0) {
      await this.page.keyboard.press(key)
      const { name } = await stopOf(this.page)
      if (passed.includes(name))
        expect.fail(`No arrow reaches ${String(control)}. It passed ${passed.join(' · ')}`)
      passed.push(name)
      await this.expectVisibleFocus()
    }
    this.#acts.push(`choice of ${(await stopOf(this.page)).name}`)
  }

  /** Types into what has the focus, which has to be a field. */
  async type(text: string): Promise<void> {
    await this.expectVisibleFocus()
    await this.page.keyboard.type(text)
    this.#typed += text.length
  }

  /** Waits until the screen has moved the focus to a control. */
  async expectFocus(control: Locator): Promise<void> {
    await control.and(this.page.locator(':focus')).waitFor()
    await this.expectVisibleFocus()
  }

  /** After an act something still has the focus, at least the heading, so that Tab continues from there. */
  async expectFocusKept(): Promise<void> {
    const inBody = () => this.page.evaluate(() => document.activeElement === document.body)
    const act = this.#acts.at(-1)
    await expect.poll(inBody, { message: `focus lost after ${act}` }).toBe(false)
  }

  async expectVisibleFocus(): Promise<void> {
    await expect
      .poll(() => stopOf(this.page), { message: 'visible focus' })
      .toMatchObject({ isVisible: true })
  }
}

interface PressOptions {
  readonly key?: 'Enter' | 'Space'
  readonly back?: boolean
}

/** Describes the element with the focus. */
function stopOf(page: Page): Promise<Stop> {
  return page.evaluate(() => {
    // Frames that show the focus of a control inside, by `:has(:focus-visible)` or `:focus-within`.
    const frames = '.choices-item, .list-filter'
    // Shadows don't count: buttons have one without the focus, too.
    const isDrawn = (element: Element, part?: '::after') => {
      const { outlineStyle, outlineWidth } = getComputedStyle(element, part)
      return outlineStyle !== 'none' && outlineWidth !== '0px'
    }
    const element = document.activeElement ?? document.body
    const labels = 'labels' in element && element.labels instanceof NodeList ? [...element.labels] : []
    const texts = [element.getAttribute('aria-label'), labels[0]?.textContent, element.textContent]
    const words =
      texts
        .find((text) => text?.trim())
        ?.trim()
        .replaceAll(/\s+/g, ' ') ?? ''
    const name = `${element.getAttribute('role') ?? element.tagName.toLowerCase()} “${words.slice(0, 60)}”`
    const frame = element.closest(frames)
    // underlined by a shadow that it has with the focus only
    const line = element.closest('.palette-field')
    const isUnderlined = line !== null && getComputedStyle(line).boxShadow !== 'none'
    // The browser draws the calendar button of a date field, and its focus ring.
    const isPart = element.matches('input[type="date"]:not(:focus)')
    const { width, height, top, bottom } = element.getBoundingClientRect()
    const isInView = width > 0 && height > 0 && bottom > 0 && top < innerHeight
    return {
      name,
      isVisible:
        isInView &&
        (isPart ||
          isUnderlined ||
          isDrawn(element) ||
          isDrawn(element, '::after') ||
          (frame !== null && isDrawn(frame))),
    }
  })
}
