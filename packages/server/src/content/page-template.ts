import { escapeHtml } from '../platform/mailer/templates/escape-html.ts'

/** What placeholders may stand for; null and false count as not set. */
export type TemplateValues = Readonly<Record<string, string | number | boolean | null | undefined>>

/** A page with its placeholders found. */
export type Template = readonly TemplatePart[]

type TemplatePart =
  | { kind: 'text'; text: string }
  | { kind: 'value'; name: string }
  | { kind: 'condition'; name: string; whenSet: boolean; parts: TemplatePart[] }

/** A page whose placeholders are wrong. */
export class TemplateError extends Error {
  override readonly name = 'TemplateError'
  readonly placeholder: string

  constructor(placeholder: string, reason: string) {
    super(reason)
    this.placeholder = placeholder
  }
}

/**
 * Finds the placeholders of a page: `{{name}}` for a value, `{{#name}}…{{/name}}` for a part that needs
 * the value, `{{^name}}…{{/name}}` for one that stands in its place. Conditions may nest.
 */
export function parseTemplate(source: string): Template {
  const root: TemplatePart[] = []
  const open: { name: string; parts: TemplatePart[] }[] = []
  let parts = root
  let end = 0
  const text = (until: number): void => {
    if (until > end) parts.push({ kind: 'text', text: source.slice(end, until) })
  }
  for (const match of source.matchAll(/\{\{(.*?)\}\}/gs)) {
    const [whole, inner = ''] = match
    const [, sign, name] = /^([#^/]?)([a-z][a-z0-9_.]*)$/.exec(inner) ?? []
    if (name === undefined) throw new TemplateError(whole, 'is not a placeholder')
    text(match.index)
    end = match.index + whole.length
    if (sign === '') {
      parts.push({ kind: 'value', name })
    } else if (sign === '/') {
      if (open.at(-1)?.name !== name) throw new TemplateError(whole, 'closes a section that is not open')
      open.pop()
      parts = open.at(-1)?.parts ?? root
    } else {
      const condition = { kind: 'condition' as const, name, whenSet: sign === '#', parts: [] }
      parts.push(condition)
      open.push(condition)
      parts = condition.parts
    }
  }
  text(source.length)
  const unclosed = open.at(-1)
  if (unclosed) throw new TemplateError(`{{#${unclosed.name}}}`, 'is never closed')
  return root
}

/** The names that a page asks for. */
export function templateNames(template: Template): Set<string> {
  const names = new Set<string>()
  for (const part of template) {
    if (part.kind === 'text') continue
    names.add(part.name)
    if (part.kind === 'condition') for (const name of templateNames(part.parts)) names.add(name)
  }
  return names
}

/** The page with its values, which are escaped. */
export function fillTemplate(template: Template, values: TemplateValues): string {
  return template
    .map((part) => {
      if (part.kind === 'text') return part.text
      const value = values[part.name]
      if (part.kind === 'value') return typeof value === 'string' ? escapeHtml(value) : ''
      return Boolean(value) === part.whenSet ? fillTemplate(part.parts, values) : ''
    })
    .join('')
}
