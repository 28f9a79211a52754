import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'vite'
import { describe, expect, test } from 'vitest'

/**
 * Prices come from the server; the browser only formats them. Finds sums, differences, products, quotients and
 * rounding whose operands are named like money. Comparisons are allowed.
 */

const source = join(import.meta.dirname, '..')

/** Allowed functions, by file and name, each with the reason why it isn't a price to pay. */
const allowed: Readonly<Record<string, string>> = {
  'features/dashboard/board/balances.ts balances': 'what somebody has in several wallets, for a tile',
  'features/wallet/balance-course.ts pastCourse':
    'where the line of a chart begins, before the first known entry',
  'features/wallet/payments/pending-note.tsx PendingNote':
    'what listed payments bring together, less the one on screen',
  'features/wallet/payments/pay/top-ups.ts withTopUps': 'the course of a chart, as it is expected',
  'features/wallet/spending-panel.tsx Ceiling': 'how far a bar is filled',
  'features/wallet/verify/chain.ts faultOf': 'checks what the server has calculated',
}

/** Last words of names that denote money. */
const money =
  /^(cents?|prices?|costs?|amounts?|vat|rates?|balances?|fees?|charges?|gross|net|debts?|owed|discounts?|due|spend|credits?|monthly|yearly)$/

interface Node {
  readonly type: string
  readonly [key: string]: unknown
}

interface Finding {
  readonly line: number
  /** The enclosing function; empty if it has no name. */
  readonly within: string
  readonly text: string
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string'
}

function words(name: string): string[] {
  return name.split(/(?=[A-Z])|_/).map((word) => word.toLowerCase())
}

/** Whether an expression is named like money. */
function isMoney(value: unknown): boolean {
  if (!isNode(value)) return false
  switch (value.type) {
    case 'Identifier':
      return money.test(words(String(value.name)).at(-1) ?? '')
    case 'MemberExpression':
      return value.computed === true ? isMoney(value.object) : isMoney(value.property)
    case 'CallExpression':
      return isNode(value.callee) && words(nameOf(value.callee)).some((word) => money.test(word))
    case 'LogicalExpression':
    case 'BinaryExpression':
      return isMoney(value.left) || isMoney(value.right)
    case 'ConditionalExpression':
      return isMoney(value.consequent) || isMoney(value.alternate)
    case 'UnaryExpression':
      return value.operator === '-' && isMoney(value.argument)
    case 'ChainExpression':
    case 'ParenthesizedExpression':
    case 'TSAsExpression':
    case 'TSNonNullExpression':
      return isMoney(value.expression)
    default:
      return false
  }
}

function nameOf(value: unknown): string {
  if (!isNode(value)) return ''
  if (value.type === 'Identifier') return String(value.name)
  return value.type === 'MemberExpression' ? nameOf(value.property) : ''
}

function isText(value: unknown): boolean {
  return (
    isNode(value) &&
    (value.type === 'TemplateLiteral' || (value.type === 'Literal' && typeof value.value === 'string'))
  )
}

function isArithmetic(node: Node): boolean {
  switch (node.type) {
    case 'BinaryExpression': {
      if (!['+', '-', '*', '/', '%', '**'].includes(String(node.operator))) return false
      if (isText(node.left) || isText(node.right)) return false
      return isMoney(node.left) || isMoney(node.right)
    }
    case 'AssignmentExpression':
      return (
        ['+=', '-=', '*=', '/=', '%=', '**='].includes(String(node.operator)) &&
        !isText(node.right) &&
        (isMoney(node.left) || isMoney(node.right))
      )
    case 'UnaryExpression':
      return node.operator === '-' && isMoney(node.argument)
    case 'UpdateExpression':
      return isMoney(node.argument)
    case 'CallExpression': {
      const isRounding = isNode(node.callee) && nameOf(node.callee.object) === 'Math'
      // Math.abs only drops the sign, which the formatter prints separately.
      if (!isRounding || nameOf(node.callee) === 'abs') return false
      return Array.isArray(node.arguments) && node.arguments.some(isMoney)
    }
    default:
      return false
  }
}

/** Returns the name of a function or of the constant it is assigned to. */
function functionName(node: Node): string | undefined {
  if (node.type === 'FunctionDeclaration') return nameOf(node.id)
  const isHeld =
    node.type === 'VariableDeclarator' && isNode(node.init) && node.init.type === 'ArrowFunctionExpression'
  return isHeld ? nameOf(node.id) : undefined
}

function findArithmetic(file: string, code: string): Finding[] {
  const { program, errors } = parseSync(file, code)
  if (errors.length > 0) throw new Error(`${file} cannot be parsed`)
  const found: Finding[] = []
  const visit = (value: unknown, within: string) => {
    if (Array.isArray(value)) for (const one of value) visit(one, within)
    if (!isNode(value)) return
    const start = Number(value.start)
    if (isArithmetic(value)) {
      const line = code.slice(0, start).split('\n').length
      found.push({ line, within, text: code.slice(start, Number(value.end)) })
      return
    }
    // report the outermost named function, which is the one others call
    const inner = within || (functionName(value) ?? '')
    for (const child of Object.values(value)) visit(child, inner)
  }
  visit(program, '')
  return found
}

/** Files that only convert between cents, major units and texts. */
const conversions = new Set(['i18n/format.ts', 'domain/wallet/amounts.ts', 'domain/wallet/money.tsx'])

const found = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .filter(
    (file) => /\.tsx?$/.test(file) && !/\.(test|test-data|d)\.tsx?$/.test(file) && !conversions.has(file),
  )
  .flatMap((file) =>
    findArithmetic(file, readFileSync(join(source, file), 'utf8')).map((one) => ({ ...one, file })),
  )

const placeOf = ({ file, within }: { file: string; within: string }) => `${file} ${within}`

describe('prices', () => {
  test('are not calculated in the browser', () => {
    const wrong = found.filter((one) => !(placeOf(one) in allowed))
    expect(wrong.map(({ file, line, text }) => `${file}:${line} ${text}`)).toEqual([])
  })

  test('have no unused exceptions', () => {
    const needed = new Set(found.map(placeOf))
    expect(Object.keys(allowed).filter((place) => !needed.has(place))).toEqual([])
  })
})

describe('the scanner', () => {
  test.each([
    ['const total = price * count', 'price * count'],
    ['const due = cost - cost * discount', 'cost - cost * discount'],
    ['const next = wallet.balance + cents', 'wallet.balance + cents'],
    ['const sum = list.reduce((all, { amount }) => all + amount, 0)', 'all + amount'],
    ['let all = 0; for (const { monthlyCost } of list) all += monthlyCost', 'all += monthlyCost'],
    ['const off = Math.floor(plan.cost)', 'Math.floor(plan.cost)'],
    ['const least = Math.max(100, method.minimumAmount)', 'Math.max(100, method.minimumAmount)'],
    ['const debt = -(wallet?.balance ?? 0)', '-(wallet?.balance ?? 0)'],
    ['const taken = amount! / (vat.rate as number)', 'amount! / (vat.rate as number)'],
    ['const net = readAmount(text) % 7', 'readAmount(text) % 7'],
    ['const shown = <b>{price(cents * 12, currency)}</b>', 'cents * 12'],
    ['const first = prices[0] + 1', 'prices[0] + 1'],
  ])('finds %s', (code, text) => {
    expect(findArithmetic('sample.tsx', code).map((one) => one.text)).toEqual([text])
  })

  test.each([
    'const isMore = amount > least',
    "const label = price(cents, currency) + ' a month'",
    'const page = offset + size',
    'const shown = price(Math.abs(cents), currency)',
    "import { costs } from './costs.ts'",
    'const cost = preview.monthly.next',
    'function costOf(count: number) { return count + 1 }',
  ])('leaves %s alone', (code) => {
    expect(findArithmetic('sample.tsx', code)).toEqual([])
  })

  test('reports the outermost function', () => {
    const code =
      'export function total(list) { const add = (a, { cost }) => a + cost; return list.reduce(add) }'
    expect(findArithmetic('sample.ts', code)).toMatchObject([{ within: 'total', line: 1 }])
  })
})
