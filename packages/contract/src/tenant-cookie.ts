/** Cookie with the number of the tenant whose user signed in last in this browser; absent: the installation's own. */
export const tenantCookie = 'tenant'
