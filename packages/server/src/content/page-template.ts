import { escapeHtml } from '../platform/mailer/templates/escape-html.ts'

/** Values of placeholders. Null and false count as not set. */
export type TemplateValues = Readonly<Record<string, string | number | boolean | null | undefined>>

/** A parsed page template. */
export type Template = readonly TemplatePart[]

type TemplatePart =
  | { kind: 'text'; text: string }
  | { kind: 'value'; name: string }
  | { kind: 'condition'; name: string; whenSet: boolean; parts: TemplatePart[] }

/** Thrown for a page with invalid placeholders. */
export class TemplateError extends Error {
  override readonly name = 'TemplateError'
  readonly placeholder: string

  constructor(placeholder: string, reason: string) {
    super(reason)
    this.placeholder = placeholder
  }
}

/**
 * Parses the placeholders of a page: `{{name}}` inserts a value, `{{#name}}…{{/name}}` is rendered if the
 * value is set, `{{^name}}…{{/name}}` if it is not. Conditions may be nested.
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

/** Returns the names of all placeholders. */
export function templateNames(template: Template): Set<string> {
  const names = new Set<string>()
  for (const part of template) {
    if (part.kind === 'text') continue
    names.add(part.name)
    if (part.kind === 'condition') for (const name of templateNames(part.parts)) names.add(name)
  }
  return names
}

/** Renders the page with its values, which are escaped. */
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
