/**
 * Resolves the library to its browser source, instead of the ECMAScript 5 build, which is twice as large, or
 * the Node.js build, which tests would use.
 */
export const tusClient = { 'tus-js-client': 'tus-js-client/lib/browser/index.js' }
