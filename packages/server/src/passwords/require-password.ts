import { UsageError } from '../platform/cli/command.ts'
import { createTranslator } from '../platform/i18n/translator.ts'
import { brokenRules, type PasswordRequirements } from './requirements.ts'

/** Throws UsageError if a password set by an operator breaks a rule. */
export function requirePassword(requirements: PasswordRequirements, password: string): void {
  const t = createTranslator('en')
  const problems = brokenRules(requirements, password).map(({ key, params }) => t(key, params))
  if (problems.length > 0) throw new UsageError(problems.join(' '))
}
