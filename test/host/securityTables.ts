// The tables of docs/security.md, from the routes and from the roles of the commands.

import { COMMAND_ROLES } from '../../src/host/platformCommand.ts'
import type { ListedRoute } from './routeTable.ts'

export function routeRows(routes: readonly ListedRoute[]): string[] {
  const rows = routes.map(({ method, path, access, role }) => {
    const shown = access === 'nobody' ? `any method ${path}` : `${method} ${path.replace(/:(\w+)/g, '{$1}')}`
    return `| \`${shown}\` | ${access === 'operator' ? `operator, ${role}` : access} |`
  })
  return [...new Set(rows)]
}

export function commandRows(): string[] {
  return Object.entries(COMMAND_ROLES).map(([type, role]) => `| \`${type}\` | ${role} |`)
}
