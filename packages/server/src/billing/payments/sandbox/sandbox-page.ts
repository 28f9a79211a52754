import { formatPrice } from '@gatehouse/contract/billing/price'
import type { ChosenScheme } from '@gatehouse/contract/color-scheme'
import type { Language } from '@gatehouse/contract/language'
import type { MessageKey, Translate } from '../../../platform/i18n/translator.ts'
import { escapeHtml } from '../../../platform/mailer/templates/escape-html.ts'
import { isPending } from '../settlement/look-schedule.ts'
import { type Outcome, type TestCard, testCards } from './sandbox.ts'
import type { SandboxPayment } from './sandbox-store.ts'

export interface PageFacts {
  readonly t: Translate
  readonly language: Language
  readonly scheme: ChosenScheme | undefined
  readonly nonce: string
  readonly site: string
  /** URL of the theme's style sheet. */
  readonly theme: string
}

const cards = Object.keys(testCards) as TestCard[] // the keys are exactly the cards

const cardTexts: Readonly<Record<TestCard, MessageKey>> = {
  good: 'sandbox.card-good',
  broke: 'sandbox.card-broke',
  slow: 'sandbox.card-slow',
}

/** Buttons in order; the first one is the primary button. */
const choices: readonly { readonly outcome: Outcome; readonly text: MessageKey }[] = [
  { outcome: 'paid', text: 'sandbox.pay' },
  { outcome: 'pending', text: 'sandbox.later' },
  { outcome: 'failed', text: 'sandbox.fail' },
  { outcome: 'expired', text: 'sandbox.expire' },
  { outcome: 'canceled', text: 'sandbox.cancel' },
]

const results: Readonly<Record<SandboxPayment['status'], MessageKey>> = {
  open: 'sandbox.result-pending',
  pending: 'sandbox.result-pending',
  authorized: 'sandbox.result-pending',
  paid: 'sandbox.result-paid',
  failed: 'sandbox.result-failed',
  canceled: 'sandbox.result-canceled',
  expired: 'sandbox.result-expired',
}

/** The page on which the payer decides the outcome of a payment. */
export function checkoutPage(payment: SandboxPayment, facts: PageFacts): string {
  const { t, language } = facts
  const isMandate = payment.kind === 'mandate'
  const rows: [string, string][] = [
    [t('sandbox.amount'), formatPrice(payment.amount, payment.currency, language)],
    [t('sandbox.what'), payment.description],
    [t('sandbox.payer'), payment.payer],
  ]
  const list = rows.map(
    ([name, value]) => `<div><dt>${escapeHtml(name)}</dt><dd>${escapeHtml(value)}</dd></div>`,
  )
  const waits = payment.status === 'pending'
  const title = t(isMandate ? 'sandbox.title-mandate' : 'sandbox.title')
  return document(
    title,
    facts,
    `<h1>${escapeHtml(title)}</h1><p class="hint">${escapeHtml(t('sandbox.hint'))}</p>
<dl>${list.join('')}</dl>
${waits ? `<p class="note" role="status">${escapeHtml(t('sandbox.waits'))}</p>` : ''}
${isPending(payment.status) ? form(payment, facts) : outcome(payment, facts)}`,
  )
}

/** The page for an unknown payment URL. */
export function unknownPage(facts: PageFacts): string {
  const title = facts.t('sandbox.unknown')
  return document(
    title,
    facts,
    `<h1>${escapeHtml(title)}</h1><p>${escapeHtml(facts.t('sandbox.unknown-why'))}</p>`,
  )
}

function form(payment: SandboxPayment, { t }: PageFacts): string {
  const offered = choices.filter(({ outcome }) => outcome !== payment.status)
  const buttons = offered.map(
    ({ outcome, text }, index) =>
      `<button name="outcome" value="${outcome}"${index === 0 ? ' class="main"' : ''}>${escapeHtml(t(text))}</button>`,
  )
  const options = cards.map(
    (card, index) =>
      `<label><input type="radio" name="card" value="${card}"${index === 0 ? ' checked' : ''}><span>${escapeHtml(
        testCards[card].text,
      )}<small>${escapeHtml(t(cardTexts[card]))}</small></span></label>`,
  )
  const withCards = payment.method === 'creditcard' && payment.kind === 'mandate'
  const chosen = withCards
    ? `<fieldset><legend>${escapeHtml(t('sandbox.card'))}</legend>${options.join('')}</fieldset>`
    : ''
  return `<form method="post">${chosen}<div class="acts">${buttons.join('')}</div></form>`
}

function outcome(payment: SandboxPayment, { t }: PageFacts): string {
  const isGood = payment.status === 'paid'
  return `<p class="note ${isGood ? 'good' : 'bad'}" role="status">${escapeHtml(t(results[payment.status]))}</p>
<p><a class="button" href="${escapeHtml(payment.returnUrl)}">${escapeHtml(t('sandbox.back'))}</a></p>`
}

function document(title: string, { language, scheme, nonce, theme, site }: PageFacts, body: string): string {
  return `<!doctype html>
<html lang="${language}"${scheme === undefined ? '' : ` data-theme="${scheme}"`}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="${scheme ?? 'light dark'}">
<meta name="robots" content="noindex">
<title>${escapeHtml(`${title} – ${site}`)}</title>
<link rel="icon" href="${theme}/images/favicon.svg" type="image/svg+xml">
<style nonce="${nonce}">${style}</style>
<link rel="stylesheet" href="${theme}/theme.css">
</head>
<body>
<header><strong>${escapeHtml(site)}</strong><span>Sandbox</span></header>
<main>${body}</main>
</body>
</html>
`
}

/** The design tokens that this page needs; the theme's own colours override them. */
const style = `:root{color-scheme:light dark;--bg:light-dark(#f3f5f3,#0e1413);--surface:light-dark(#fff,#151d1b);
--line:light-dark(#dde2de,#283330);--field-line:light-dark(#858f8a,#6d7a75);--ink:light-dark(#15201e,#e8edeb);
--ink-2:light-dark(#46524e,#bac4c0);--accent:light-dark(#0a6270,#58b9c4);--accent-hover:light-dark(#074d58,#79cad3);
--on-accent:light-dark(#fff,#04191c);--focus:light-dark(#0a6270,#79cad3);--lintel:light-dark(#0f2b31,#0a1719);
--on-lintel:light-dark(#eef5f4,#e8f0ef);--on-lintel-2:light-dark(#b3cbca,#a6bcbb);--success:light-dark(#17693a,#77cb98);
--success-soft:light-dark(#e0f2e6,#143021);--warning:light-dark(#824c00,#e7b863);--warning-soft:light-dark(#fdf0d7,#352a12);
--danger:light-dark(#ad221b,#f39188);--danger-soft:light-dark(#fdeae8,#3d1d1a)}
[data-theme=light]{color-scheme:light}[data-theme=dark]{color-scheme:dark}*{box-sizing:border-box}
body{margin:0;background:var(--bg);color:var(--ink);font:.9375rem/1.5 "Hanken Grotesk Variable",system-ui,sans-serif}
header{display:flex;gap:12px;align-items:baseline;padding:14px 20px;background:var(--lintel);color:var(--on-lintel)}
header span{color:var(--on-lintel-2);font-size:.8125rem}
main{max-width:30rem;margin:32px auto;padding:24px;background:var(--surface);border:1px solid var(--line);border-radius:8px}
h1{margin:0 0 4px;font-size:1.375rem;line-height:1.2;font-weight:680}.hint{margin:0 0 20px;color:var(--ink-2)}
dl{margin:0 0 20px;border-top:1px solid var(--line)}dl div{display:flex;justify-content:space-between;gap:16px;padding:10px 0;border-bottom:1px solid var(--line)}
dt{color:var(--ink-2)}dd{margin:0;text-align:right;font-weight:550;overflow-wrap:anywhere}
fieldset{margin:0 0 20px;padding:0;border:0}legend{padding:0 0 8px;font-weight:550}
label{display:flex;gap:10px;align-items:flex-start;padding:8px 0;cursor:pointer}label small{display:block;color:var(--ink-2)}
input{width:18px;height:18px;margin:2px 0 0;accent-color:var(--accent)}
.acts{display:grid;gap:10px}button,.button{display:block;width:100%;min-height:40px;padding:8px 14px;border:1px solid var(--field-line);border-radius:5px;
background:var(--surface);color:var(--ink);font:inherit;font-weight:550;text-align:center;text-decoration:none;cursor:pointer}
button:hover{border-color:var(--ink-2)}.main,.button{background:var(--accent);border-color:var(--accent);color:var(--on-accent)}
.main:hover,.button:hover{background:var(--accent-hover);border-color:var(--accent-hover)}
:focus-visible{outline:2px solid var(--focus);outline-offset:2px}
.note{margin:0 0 20px;padding:10px 14px;border-radius:5px;background:var(--warning-soft);color:var(--warning)}
.good{background:var(--success-soft);color:var(--success)}.bad{background:var(--danger-soft);color:var(--danger)}
@media(max-width:34rem){main{margin:0;border-width:0 0 1px;border-radius:0;padding:20px}}`
