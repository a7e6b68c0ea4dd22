/** The released version; the package's own test holds it against package.json. */
export const VERSION = '0.2.0'
