/** A page's HTML prepared for display, and its title. */
export interface ArrangedContent {
  html: string
  /** Text of its first heading. */
  title: string
}

/**
 * Groups each second-level heading with the content that follows, so that the page can be laid out as a
 * sheet of sections. Columns, panels and rules stand alone and end the sheet.
 */
export function arrangeContent(html: string): ArrangedContent {
  const { body } = new DOMParser().parseFromString(html, 'text/html')
  let sheet: Element | undefined
  let text: Element | undefined
  for (const node of [...body.childNodes]) {
    if (node instanceof Element && node.matches('hr, section, div, h1')) {
      sheet = undefined
      text = undefined
    } else if (node instanceof Element && node.matches('h2')) {
      sheet ??= appendBefore(node, 'content-sheet')
      const section = sheet.appendChild(element('section', 'content-section'))
      section.append(node)
      text = section.appendChild(element('div'))
    } else {
      text?.append(node)
    }
  }
  return { html: body.innerHTML, title: body.querySelector('h1')?.textContent?.trim() ?? '' }
}

function appendBefore(node: Element, className: string): Element {
  const created = element('div', className)
  node.before(created)
  return created
}

function element(tag: string, className = ''): HTMLElement {
  const created = document.createElement(tag)
  if (className) created.className = className
  return created
}
