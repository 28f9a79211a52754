import ICAL from 'ical.js'

/** A rule that is illegal, or whose occurrences take too long to find. */
export class UnusableRuleError extends Error {}

/** Steps that the expansion of recurrences may take. */
export class Budget {
  constructor(private steps: number) {}

  /** Throws UnusableRuleError. */
  spend(steps: number): void {
    this.steps -= steps
    if (this.steps < 0) throw new UnusableRuleError('too many steps')
  }
}

const maximumParts = 400
const maximumDays = 60

/**
 * An iterator that ends rules which never match or step through billions of seconds: the library would go on for ever
 * inside a single call. Throws UnusableRuleError.
 */
export class BoundedIterator extends ICAL.RecurIterator {
  // set by `fromData`, which the constructor above this class calls
  declare private budget: Budget
  declare private weight: number

  constructor(rule: ICAL.Recur, start: ICAL.Time, budget: Budget) {
    const sizes = Object.values(rule.parts).map((values) => values.length)
    const parts = sizes.reduce((total, size) => total + size, 0)
    if (parts > maximumParts || (rule.parts.BYDAY?.length ?? 0) > maximumDays) {
      throw new UnusableRuleError('too many parts')
    }
    // a copy, because the library changes rules while it expands them
    super(options(rule.clone(), start.clone(), budget, 1 + Math.ceil(parts / 4)))
  }

  override fromData(data: BoundedOptions): void {
    this.budget = data.budget
    this.weight = data.weight
    super.fromData(data)
  }

  override check_contracting_rules(): boolean {
    this.budget.spend(this.weight)
    return super.check_contracting_rules()
  }

  override increment_monthday(days: number): void {
    this.budget.spend(Math.ceil(days / 4))
    super.increment_monthday(days)
  }

  override increment_month(): void {
    this.budget.spend(this.weight)
    super.increment_month()
  }

  override increment_year(years: number): void {
    this.budget.spend(1)
    super.increment_year(years)
  }

  override expand_year_days(year: number): number {
    this.budget.spend(this.weight * 10)
    return super.expand_year_days(year)
  }
}

interface BoundedOptions {
  rule: ICAL.Recur
  dtstart: ICAL.Time
  budget: Budget
  weight: number
}

function options(rule: ICAL.Recur, dtstart: ICAL.Time, budget: Budget, weight: number): BoundedOptions {
  return { rule, dtstart, budget, weight }
}
