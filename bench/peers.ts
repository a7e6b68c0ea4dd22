import type { Figure } from './figure.ts'
export const peers: Figure = { name: 'peers', about: '', run: () => [] }
