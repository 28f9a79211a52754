/** A file of SQL as text. The bundler inlines it, so that nothing has to be shipped beside the code. */
declare module '*.sql?raw' {
  const text: string
  export default text
}
