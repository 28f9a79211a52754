/** An SQL file as text, inlined by the bundler so that it needn't be shipped separately. */
declare module '*.sql?raw' {
  const text: string
  export default text
}
