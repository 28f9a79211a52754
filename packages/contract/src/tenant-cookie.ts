/**
 * Cookie with the ID of the tenant whose user last signed in with this browser; absent for the installation's
 * own.
 */
export const tenantCookie = 'tenant'
