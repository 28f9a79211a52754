/** A path to an attribute: `urn:…:User:name.familyName`. */
export interface AttributePath {
  readonly urn: string | undefined
  readonly name: string
  readonly sub: string | undefined
}

export const compareOperators = ['eq', 'ne', 'co', 'sw', 'ew', 'gt', 'ge', 'lt', 'le'] as const

export type CompareOperator = (typeof compareOperators)[number]

export type FilterValue = string | number | boolean | null

/** A filter, RFC 7644 §3.4.2.2. */
export type Filter =
  | { readonly kind: 'and' | 'or'; readonly left: Filter; readonly right: Filter }
  | { readonly kind: 'not'; readonly inner: Filter }
  | { readonly kind: 'present'; readonly path: AttributePath }
  | {
      readonly kind: 'compare'
      readonly path: AttributePath
      readonly operator: CompareOperator
      readonly value: FilterValue
    }
  /** `emails[type eq "work"]` */
  | { readonly kind: 'element'; readonly path: AttributePath; readonly inner: Filter }

/** The path of a change, RFC 7644 §3.5.2: `emails[type eq "work"].value`. */
export interface PatchPath {
  readonly path: AttributePath
  readonly filter: Filter | undefined
  /** Sub-attribute after a filter. */
  readonly sub: string | undefined
}
