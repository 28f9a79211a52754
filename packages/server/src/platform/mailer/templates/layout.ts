import type { Block } from './blocks.ts'
import { escapeHtml } from './escape-html.ts'
import { type ColourPair, type MailTheme, neutral } from './mail-theme.ts'

export interface MailPage {
  language: string
  subject: string
  /** Preview text that mail clients show next to the subject. */
  preview: string
  site: string
  home: string
  blocks: readonly Block[]
  /** Footer lines, below the blocks. */
  foot: readonly string[]
}

const font = `system-ui,-apple-system,'Segoe UI',Roboto,'Noto Sans',Arial,sans-serif`
const mono = `ui-monospace,'Cascadia Mono','DejaVu Sans Mono',Menlo,Consolas,monospace`

/**
 * Renders the whole message as HTML, with nested tables and inline styles for old mail clients. The style
 * sheet in the head only sets colours for clients that support dark mode.
 */
export function mailHtml(page: MailPage, theme: MailTheme): string {
  const { accent, onAccent, lintel, onLintel } = theme.colours
  const paint: Paint = {
    page: background('page', neutral.page),
    surface: background('surface', neutral.surface),
    well: background('well', neutral.well),
    ink: ink('ink', neutral.ink),
    quiet: ink('quiet', neutral.quiet),
    line: { name: 'line', property: 'border-color', colour: neutral.line },
    accent: background('accent', accent),
    link: ink('link', accent),
    onAccent: ink('on-accent', onAccent),
    lintel: background('lintel', lintel),
    onLintel: ink('on-lintel', onLintel),
  }
  const blocks = page.blocks.map((block) => blockHtml(block, paint)).join('\n')
  const foot = page.foot.map(escapeHtml).join('<br>')
  return `<!doctype html>
<html lang="${escapeHtml(page.language)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(page.subject)}</title>
<style>
:root{color-scheme:light dark;supported-color-schemes:light dark}
@media (prefers-color-scheme:dark){
${Object.values(paint).map(darkRule).join('\n')}
}
</style>
</head>
<body ${styled([paint.page], 'margin:0;padding:0')}>
<div style="display:none;max-height:0;overflow:hidden">${escapeHtml(page.preview)}</div>
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" ${styled([paint.page])}>
<tr><td align="center" style="padding:24px 12px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" ${styled([paint.surface, paint.line], 'max-width:560px;border-width:1px;border-style:solid;border-radius:8px;border-collapse:separate')}>
<tr><td ${styled([paint.lintel], 'padding:14px 24px;border-radius:7px 7px 0 0')}>
<a href="${link(page.home)}" ${styled([paint.onLintel], `font:600 16px/24px ${font};text-decoration:none`)}>${mark(theme)}${escapeHtml(page.site)}</a>
</td></tr>
<tr><td style="padding:24px 24px 8px">
${blocks}
</td></tr>
<tr><td ${styled([paint.line], 'padding:14px 24px;border-width:1px 0 0;border-style:solid')}>
<p ${styled([paint.quiet], `margin:0;font:400 12px/18px ${font}`)}>${foot}</p>
</td></tr>
</table>
</td></tr>
</table>
</body>
</html>
`
}

/** A URL that may be used in a link: http or https, never a script. */
export class UnsafeLinkError extends Error {
  override readonly name = 'UnsafeLinkError'
}

interface Colouring {
  name: string
  property: 'color' | 'background-color' | 'border-color'
  colour: ColourPair
}

type PaintName =
  | 'page'
  | 'surface'
  | 'well'
  | 'ink'
  | 'quiet'
  | 'line'
  | 'accent'
  | 'link'
  | 'onAccent'
  | 'lintel'
  | 'onLintel'

type Paint = Record<PaintName, Colouring>

function background(name: string, colour: ColourPair): Colouring {
  return { name, property: 'background-color', colour }
}

function ink(name: string, colour: ColourPair): Colouring {
  return { name, property: 'color', colour }
}

/** Returns the attributes that colour an element in both schemes, plus extra inline styles. */
function styled(colourings: readonly Colouring[], styles = ''): string {
  const classes = colourings.map(({ name }) => `gh-${name}`).join(' ')
  const colours = colourings.map(({ property, colour }) => `${property}:${colour.light}`)
  return `class="${classes}" style="${escapeHtml([...colours, styles].filter(Boolean).join(';'))}"`
}

function darkRule({ name, property, colour }: Colouring): string {
  return `.gh-${name}{${property}:${colour.dark} !important}`
}

function blockHtml(block: Block, paint: Paint): string {
  const text = `margin:0 0 16px;font:400 15px/23px ${font}`
  switch (block.kind) {
    case 'paragraph':
      return `<p ${styled([paint.ink], text)}>${escapeHtml(block.text)}</p>`
    case 'code':
      return `<p ${styled([paint.quiet], `margin:0 0 4px;font:400 12px/18px ${font}`)}>${escapeHtml(block.label)}</p>
<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:0 0 20px"><tr><td ${styled([paint.well, paint.ink], `padding:10px 18px;border-radius:5px;font:600 24px/32px ${mono};letter-spacing:3px`)}>${escapeHtml(block.code)}</td></tr></table>`
    case 'button':
      return `<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:0 0 12px"><tr><td ${styled([paint.accent], 'border-radius:5px')}><a href="${link(block.href)}" ${styled([paint.onAccent], `display:inline-block;padding:10px 18px;font:600 15px/20px ${font};text-decoration:none`)}>${escapeHtml(block.label)}</a></td></tr></table>
<p ${styled([paint.quiet], `margin:0 0 20px;font:400 12px/18px ${font};word-break:break-all`)}>${escapeHtml(block.fallback)}<br><a href="${link(block.href)}" ${styled([paint.link])}>${escapeHtml(block.href)}</a></p>`
    case 'facts':
      return `<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:0 0 16px">${block.rows
        .map(
          ([label, value]) =>
            `<tr><td ${styled([paint.quiet], `padding:2px 16px 2px 0;vertical-align:top;font:400 13px/20px ${font}`)}>${escapeHtml(label)}</td><td ${styled([paint.ink], `padding:2px 0;font:400 15px/20px ${font}`)}>${escapeHtml(value)}</td></tr>`,
        )
        .join('')}</table>`
    case 'steps':
      return `<ol ${styled([paint.ink], `margin:0 0 20px;padding:0 0 0 22px;font:400 15px/23px ${font}`)}>${block.items
        .map(({ text: step, href }) => {
          const shown = escapeHtml(step)
          return `<li>${href ? `<a href="${link(href)}" ${styled([paint.link])}>${shown}</a>` : shown}</li>`
        })
        .join('')}</ol>`
  }
}

function mark({ markUrl }: MailTheme): string {
  if (!markUrl) return ''
  return `<img src="${link(markUrl)}" width="24" height="24" alt="" style="vertical-align:top;border:0;margin-right:10px">`
}

function link(href: string): string {
  if (!/^https?:\/\/[^\s]+$/i.test(href) || !URL.canParse(href)) {
    throw new UnsafeLinkError('A mail may only link to web addresses.')
  }
  return escapeHtml(href)
}
