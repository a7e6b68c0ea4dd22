/** How many API keys a user may have (K3). */

/** Live API keys of one user, unless the host says otherwise (K3). */
export const MAX_API_KEYS_PER_USER = 20
