/** Events: each is what the table of events says. */
import { tableOf } from '../../collections/table.ts'
import { FieldCheck } from '../../domain/commands/fieldCheck.ts'
import { EVENT_TYPES, EVENTS } from '../../events/eventTable.ts'
import type { Law } from '../law.ts'

const CHECKS = tableOf(EVENT_TYPES, (type) => new FieldCheck(EVENTS[type].fields))

export const eventsAreWhatTheirTableSays: Law = {
  name: 'events are what their table says',
  statement:
    'Every event has the fields of its type and no others, and each holds what docs/events.md says of it.',
  watch: () => ({
    beforeEvent({ event }) {
      const fault = CHECKS[event.type].fault(event, 'type')
      return fault === null ? null : `${fault} of ${event.type} is not what the table says`
    },
  }),
}
