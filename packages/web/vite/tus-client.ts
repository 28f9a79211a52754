/**
 * The source of the library for browsers, instead of its form for ECMAScript 5, which is twice as large, and instead of the
 * one for Node.js, which tests would take.
 */
export const tusClient = { 'tus-js-client': 'tus-js-client/lib/browser/index.js' }
